// One program for the four components of Kubernetes that the live suite needs. It is the component it is named after:
// kube-apiserver, kube-controller-manager, kube-scheduler or kubelet, by the name it is started with.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	commands := map[string]func() *cobra.Command{
		"kube-apiserver":          apiserver.NewAPIServerCommand,
		"kube-controller-manager": manager.NewControllerManagerCommand,
		"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
		"kubelet":                 func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) },
	}
	command, known := commands[filepath.Base(os.Args[0])]
	if !known {
		fmt.Fprintf(os.Stderr, "%s is the name of no component: start it as one of kube-apiserver, kube-controller-manager, kube-scheduler and kubelet\n", os.Args[0])
		os.Exit(2)
	}
	os.Exit(cli.Run(command()))
}
