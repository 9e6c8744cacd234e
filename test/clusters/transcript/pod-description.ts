export const NEW_LAYOUT = `Name:                 web-6d4b75cb6d-hx7bk
Namespace:            shop
Priority:             1000
Priority Class Name:  front
Runtime Class Name:   gvisor
Service Account:      web
Node:                 worker-1/192.168.0.11
Start Time:           Fri, 20 Nov 2026 13:40:00 +0200
Labels:               app=web
                      pod-template-hash=6d4b75cb6d
Annotations:          shop.example/owner: front team
                      shop.example/story:
                        once upon
                        a time: there was
Status:               Running
IP:                   10.0.1.7
IPs:
  IP:           10.0.1.7
  IP:           fd00::7
Controlled By:  ReplicaSet/web-6d4b75cb6d
Init Containers:
  migrate:
    Container ID:  containerd://a1
    Image:         registry.example/migrate:1
    Image ID:      registry.example/migrate@sha256:a1
    Port:          <none>
    Host Port:     <none>
    Command:
      migrate
      --to: latest
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
      Started:      Fri, 20 Nov 2026 13:40:01 +0200
      Finished:     Fri, 20 Nov 2026 13:40:02 +0200
    Ready:          True
    Restart Count:  0
    Environment:    <none>
    Mounts:         <none>
  mesh:
    Container ID:   containerd://b2
    Image:          registry.example/mesh:1
    Image ID:       registry.example/mesh@sha256:b2
    Port:           15090/TCP (metrics)
    Host Port:      0/TCP (metrics)
    State:          Running
      Started:      Fri, 20 Nov 2026 13:40:03 +0200
    Ready:          True
    Restart Count:  0
    Environment:    <none>
    Mounts:         <none>
Containers:
  web:
    Container ID:  containerd://c3
    Image:         registry.example/web:1.4
    Image ID:      registry.example/web@sha256:c3
    Ports:         8080/TCP (http), 9090/UDP
    Host Ports:    0/TCP (http), 19090/UDP
    Command:
      sh
      -c
    Args:
      exec web --listen :8080
    State:       Waiting
      Reason:    CrashLoopBackOff
    Last State:  Terminated
      Reason:    Error
      Message:   cannot open: catalogue
Error: no such file

giving up
      Exit Code:    137
      Signal:       9
      Started:      Fri, 20 Nov 2026 13:50:00 +0200
      Finished:     Fri, 20 Nov 2026 13:50:09 +0200
    Ready:          False
    Restart Count:  6
    Limits:
      memory:          128Mi
      nvidia.com/gpu:  1
    Requests:
      cpu:      100m
      memory:   128Mi
    Liveness:   http-get http://:http/healthz delay=5s timeout=1s period=10s #success=1 #failure=3
    Readiness:  tcp-socket :8080 delay=0s timeout=2s period=5s #success=1 #failure=3
    Startup:    exec [cat /tmp/ready] delay=0s timeout=1s period=10s #success=1 #failure=30
    Environment Variables from:
      web-conf  ConfigMap with prefix 'WEB_'  Optional: false
      web-keys  Secret                        Optional: true
    Environment:
      MODE:      front: fast
      EMPTY:     
      STORY:     one
                 two: three
      DB_PASS:   <set to the key 'password' in secret 'db'>      Optional: false
      DB_HOST:   <set to the key 'host' of config map 'db-conf'>  Optional: true
      POD_NAME:  web-6d4b75cb6d-hx7bk (v1:metadata.name)
      CPUS:      1 (requests.cpu)
    Mounts:
      /data from data (rw)
      /etc/web from conf (ro,path="web.toml")
Readiness Gates:
  Type                    Status
  shop.example/warmed     <none> 
Conditions:
  Type              Status
  Initialized       True 
  Ready             False 
  ContainersReady   False 
  PodScheduled      True 
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data
    ReadOnly:   false
  conf:
    Type:      ConfigMap (a volume populated by a ConfigMap)
    Name:      web-conf
    Optional:  false
  token:
    Type:                    Projected (a volume that contains injected data from multiple sources)
    TokenExpirationSeconds:  3607
    ConfigMapName:           kube-root-ca.crt
    ConfigMapOptional:       <nil>
    DownwardAPI:             true
QoS Class:                   Burstable
Node-Selectors:              disk=ssd
                             zone=a
Tolerations:                 dedicated=front:NoSchedule
                             node.kubernetes.io/not-ready:NoExecute op=Exists for 300s
                             op=Exists
Topology Spread Constraints: zone:DoNotSchedule when max skew 1 is exceeded for selector app=web
Events:
  Type     Reason     Age                   From               Message
  ----     ------     ----                  ----               -------
  Normal   Scheduled  20m                   default-scheduler  Successfully assigned shop/web-6d4b75cb6d-hx7bk to worker-1
  Warning  BackOff    30s (x60 over 19m)    kubelet            spec.containers{web}: Back-off restarting failed container web
  Warning  Unhealthy  5m                    kubelet            Readiness probe failed: first
second: line
`;
