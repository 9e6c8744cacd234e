// k9s, which shows a cluster in a terminal and keeps it up to date with informers of client-go.
package main

import "github.com/derailed/k9s/cmd"

func main() {
	cmd.Execute()
}
