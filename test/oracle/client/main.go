// A program as controllers are: it lists, watches, applies and elects a leader with client-go, and prints what it was told.
// The cluster is that of KUBECONFIG; the first argument is a namespace that is empty.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/retry"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	check("kubeconfig", err)
	for _, contentType := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		fmt.Println(contentType)
		config := rest.CopyConfig(config)
		config.ContentType = contentType
		typed(ctx, kubernetes.NewForConfigOrDie(config), os.Args[1])
	}
	untyped(ctx, dynamic.NewForConfigOrDie(config), os.Args[1])
	elects(ctx, kubernetes.NewForConfigOrDie(config), os.Args[1])
}

// typed changes a ConfigMap while an informer watches it.
func typed(ctx context.Context, client kubernetes.Interface, namespace string) {
	told := make(chan string, 100)
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps()
	say := func(what string) func(any) {
		return func(object any) {
			if found, ok := object.(*corev1.ConfigMap); ok && found.Name == "typed" {
				told <- fmt.Sprint(what, " ", found.Name, " ", found.Data)
			}
		}
	}
	_, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    say("added"),
		UpdateFunc: func(_, object any) { say("updated")(object) },
		DeleteFunc: say("deleted"),
	})
	check("handler", err)
	stop := make(chan struct{})
	factory.Start(stop)
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		fmt.Println("synced", kind, synced)
	}
	maps := client.CoreV1().ConfigMaps(namespace)
	_, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "typed"}, Data: map[string]string{"a": "1"}}, metav1.CreateOptions{})
	check("create", err)
	fmt.Println(<-told)
	check("update", retry.RetryOnConflict(retry.DefaultRetry, func() error {
		found, err := maps.Get(ctx, "typed", metav1.GetOptions{})
		if err != nil {
			return err
		}
		found.Data["b"] = "2"
		_, err = maps.Update(ctx, found, metav1.UpdateOptions{})
		return err
	}))
	fmt.Println(<-told)
	_, err = maps.Patch(ctx, "typed", types.StrategicMergePatchType, []byte(`{"data":{"a":null}}`), metav1.PatchOptions{})
	check("patch", err)
	fmt.Println(<-told)
	applied, err := maps.Apply(ctx, apply.ConfigMap("typed", namespace).WithData(map[string]string{"c": "3"}), metav1.ApplyOptions{FieldManager: "client", Force: true})
	check("apply", err)
	fmt.Println(<-told, len(applied.ManagedFields))
	listed, err := informer.Lister().ConfigMaps(namespace).Get("typed")
	check("lister", err)
	fmt.Println("listed", listed.Name, listed.ResourceVersion == applied.ResourceVersion)
	check("delete", maps.Delete(ctx, "typed", metav1.DeleteOptions{}))
	fmt.Println(<-told)
	_, err = maps.Get(ctx, "typed", metav1.GetOptions{})
	fmt.Println("not found:", apierrors.IsNotFound(err))
	close(stop)
	factory.Shutdown()
}

// untyped makes a Deployment without its Go type and waits until its status is written.
func untyped(ctx context.Context, client dynamic.Interface, namespace string) {
	deployments := client.Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}).Namespace(namespace)
	labels := map[string]any{"app": "untyped"}
	_, err := deployments.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1",
		"kind":       "Deployment",
		"metadata":   map[string]any{"name": "untyped"},
		"spec": map[string]any{
			"selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{
				"metadata": map[string]any{"labels": labels},
				"spec":     map[string]any{"containers": []any{map[string]any{"name": "web", "image": "shop/web:1.0"}}},
			},
		},
	}}, metav1.CreateOptions{})
	check("create untyped", err)
	watch, err := deployments.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=untyped"})
	check("watch untyped", err)
	defer watch.Stop()
	for event := range watch.ResultChan() {
		ready, _, _ := unstructured.NestedInt64(event.Object.(*unstructured.Unstructured).Object, "status", "readyReplicas")
		if ready == 1 {
			fmt.Println("untyped is ready")
			return
		}
	}
	check("watch untyped", fmt.Errorf("ended before it was ready"))
}

// elects becomes the leader, steps down and becomes it once more.
func elects(ctx context.Context, client kubernetes.Interface, namespace string) {
	for _, name := range []string{"first", "second"} {
		ctx, cancel := context.WithCancel(ctx)
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta:  metav1.ObjectMeta{Name: "leader", Namespace: namespace},
				Client:     client.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: name},
			},
			ReleaseOnCancel: true,
			LeaseDuration:   15 * time.Second,
			RenewDeadline:   10 * time.Second,
			RetryPeriod:     500 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { cancel() },
				OnStoppedLeading: func() { fmt.Println(name, "led") },
			},
		})
		cancel()
	}
}

func check(what string, err error) {
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, what+":", err)
	os.Exit(1)
}
