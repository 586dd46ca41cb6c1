package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/importer"
	"github.com/pulumi/pulumi/pkg/v3/resource/stack"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/providers"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"
)

// Prints the program that `pulumi import` prints for the package's resources of an exported stack. The engine makes a
// program of no language, of which a language's host makes one of its own; the hosts that are to be had here are older
// than that.
func printProgram(pkg *schema.Package, language, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var exported struct{ Deployment apitype.DeploymentV3 }
	if err := json.Unmarshal(text, &exported); err != nil {
		return err
	}
	var all, imported []*resource.State
	names, taken := importer.NameTable{}, map[string]bool{}
	for _, each := range exported.Deployment.Resources {
		state, err := stack.DeserializeResource(each, config.NopDecrypter)
		if err != nil {
			return err
		}
		all = append(all, state)
		isOurs := state.Type.Package().Name().String() == pkg.Name
		if isOurs {
			imported = append(imported, state)
		}
		// A variable has the resource's name, as far as resources of other kinds leave it to it.
		name := state.URN.Name()
		if taken[name] {
			name += string(state.Type.Name())
		}
		if isOurs || providers.IsProviderType(state.Type) {
			names[state.URN], taken[name] = name, true
		}
	}
	write := func(out io.Writer, program *pcl.Program) error {
		files, err := translate(pkg, program, language)
		for _, text := range files {
			if _, err := out.Write(text); err != nil {
				return err
			}
		}
		return err
	}
	return importer.GenerateLanguageDefinitions(os.Stdout, onlyLoader{pkg}, write, imported, all, names)
}

// What a language's host does with the engine's program.
func translate(pkg *schema.Package, program *pcl.Program, language string) (map[string][]byte, error) {
	parser := syntax.NewParser()
	for path, text := range program.Source() {
		if err := parser.ParseFile(strings.NewReader(text), path); err != nil {
			return nil, err
		}
	}
	bound, problems, err := pcl.BindProgram(parser.Files, onlyLoader{pkg}, pcl.NonStrictBindOptions()...)
	if err != nil {
		return nil, errors.Join(problems.Errs()...)
	}
	generate := map[string]func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error){
		"nodejs": nodejs.GenerateProgram,
		"python": python.GenerateProgram,
		"go":     gogen.GenerateProgram,
	}[language]
	files, problems, err := generate(bound)
	if err == nil && problems.HasErrors() {
		err = errors.Join(problems.Errs()...)
	}
	return files, err
}

// The one package that programs use.
type onlyLoader struct{ pkg *schema.Package }

func (only onlyLoader) LoadPackage(string, *semver.Version) (*schema.Package, error) {
	return only.pkg, nil
}

func (only onlyLoader) LoadPackageV2(context.Context, *schema.PackageDescriptor) (*schema.Package, error) {
	return only.pkg, nil
}
