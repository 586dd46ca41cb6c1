module ${PROJECT}

go 1.25

require (
	github.com/pulumi-computecloud/pulumi-computecloud/sdk/go v0.0.0
	github.com/pulumi/pulumi/sdk/v3 v3.250.0
)

// `pulumi install` generates it from the plugin.
replace github.com/pulumi-computecloud/pulumi-computecloud/sdk/go => ./sdks/computecloud
