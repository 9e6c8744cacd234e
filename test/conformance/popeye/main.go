// popeye, which reads every kind of a cluster with client-go and judges it. It is built here because `go install` refuses a module whose
// go.mod replaces others.
package main

import "github.com/derailed/popeye/cmd"

func main() {
	cmd.Execute()
}
