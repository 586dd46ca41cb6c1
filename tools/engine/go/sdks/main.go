// Writes the package's SDK for a language: sdks <schema.json> <language> <folder>. Or prints what `pulumi import` prints:
// sdks <schema.json> <language> --import <exported stack>.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// The package refers to no other one.
type noOthers struct{ schema.ReferenceLoader }

const tool = "pulumi-computecloud"

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file, language string, more []string) error {
	pkg, err := read(file)
	if err != nil {
		return err
	}
	if more[0] == "--import" {
		return printProgram(pkg, language, more[1])
	}
	return writePackage(pkg, language, more[0])
}

func writePackage(pkg *schema.Package, language, folder string) error {
	files, err := generate(pkg, language)
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func read(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, problems, err := schema.BindSpec(spec, noOthers{}, schema.ValidationOptions{})
	if err == nil && problems.HasErrors() {
		err = problems
	}
	return pkg, err
}

func generate(pkg *schema.Package, language string) (map[string][]byte, error) {
	switch language {
	case "python":
		return python.GeneratePackage(tool, pkg, nil, noOthers{})
	case "nodejs":
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, noOthers{})
	case "go":
		files, err := gogen.GeneratePackage(tool, pkg, nil)
		// The generator names a version of Pulumi's SDK that is older than what it writes.
		for name, text := range files {
			if filepath.Base(name) == "go.mod" {
				files[name] = bytes.Replace(text, []byte("sdk/v3 v3.30.0"), []byte("sdk/v3 v3.250.0"), 1)
			}
		}
		return files, err
	}
	return nil, fmt.Errorf("there is no generator for %q here", language)
}
