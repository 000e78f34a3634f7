// SPDX-License-Identifier: GPL-3.0-or-later

// A node of Kubernetes for tests: it registers with a real server, and runs the containers of its pods as processes of this
// machine. They see this machine's files beside their volumes, and have process numbers of their own, as in a container.
//
//	kubelet KUBECONFIG NAME FOLDER IMAGE LABELS DEVICES
//
// IMAGE is a folder of programs that is first in PATH, FOLDER keeps what the pods write. LABELS and DEVICES are pairs such as
// zone=a,disk=fast.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	constants "k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	streams "k8s.io/client-go/tools/remotecommand"
	"k8s.io/kubelet/pkg/cri/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
	"k8s.io/utils/ptr"
)

const (
	beat     = 2 * time.Second
	patience = time.Minute
)

type container struct {
	process int // the first in the container, as this machine counts
	state   core.ContainerState
}

type node struct {
	name, folder, image string
	client              kubernetes.Interface
	lock                sync.Mutex
	pods                map[types.UID]map[string]*container
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func now() meta.Time {
	return meta.NewTime(time.Now())
}

func readPairs(text string) map[string]string {
	pairs := map[string]string{}
	for _, part := range strings.Split(text, ",") {
		if name, value, found := strings.Cut(part, "="); found {
			pairs[name] = value
		}
	}
	return pairs
}

// The node

func (self *node) register(labels, devices map[string]string, port int32) {
	ctx, nodes := context.Background(), self.client.CoreV1().Nodes()
	object := &core.Node{ObjectMeta: meta.ObjectMeta{Name: self.name, Labels: map[string]string{
		"kubernetes.io/hostname": self.name, "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux"}}}
	maps.Copy(object.Labels, labels)
	if _, err := nodes.Create(ctx, object, meta.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		log.Fatal(err)
	}
	amounts := core.ResourceList{"cpu": resource.MustParse("8"), "memory": resource.MustParse("16384256Ki"),
		"pods": resource.MustParse("110"), "ephemeral-storage": resource.MustParse("64Gi")}
	for name, amount := range devices {
		amounts[core.ResourceName(name)] = resource.MustParse(amount)
	}
	status := core.NodeStatus{Capacity: amounts, Allocatable: amounts,
		Addresses: []core.NodeAddress{{Type: core.NodeInternalIP, Address: "127.0.0.1"}},
		Conditions: []core.NodeCondition{{Type: core.NodeReady, Status: core.ConditionTrue, Reason: "KubeletReady",
			Message: "kubelet is posting ready status", LastHeartbeatTime: now(), LastTransitionTime: now()}}}
	status.DaemonEndpoints.KubeletEndpoint.Port = port
	text, err := json.Marshal(map[string]any{"status": status})
	must(err)
	_, err = nodes.PatchStatus(ctx, self.name, text)
	must(err)
}

func (self *node) renewLease() {
	ctx, leases := context.Background(), self.client.CoordinationV1().Leases("kube-node-lease")
	for ; ; time.Sleep(beat) {
		lease, err := leases.Get(ctx, self.name, meta.GetOptions{})
		if err == nil {
			lease.Spec.RenewTime = ptr.To(meta.NowMicro())
			_, err = leases.Update(ctx, lease, meta.UpdateOptions{})
		} else {
			lease = &coordination.Lease{ObjectMeta: meta.ObjectMeta{Name: self.name}, Spec: coordination.LeaseSpec{
				HolderIdentity: &self.name, LeaseDurationSeconds: ptr.To(int32(40)), RenewTime: ptr.To(meta.NowMicro())}}
			_, err = leases.Create(ctx, lease, meta.CreateOptions{})
		}
		if err != nil {
			log.Print(err)
		}
	}
}

// Pods

func (self *node) folderOf(pod *core.Pod) string {
	return filepath.Join(self.folder, string(pod.UID))
}

func (self *node) writeVolumes(pod *core.Pod) {
	must(os.MkdirAll(self.folderOf(pod), 0o755))
	for _, volume := range pod.Spec.Volumes {
		path := filepath.Join(self.folderOf(pod), volume.Name)
		must(os.MkdirAll(path, 0o755))
		for i := 0; volume.DownwardAPI != nil && i < len(volume.DownwardAPI.Items); i++ {
			item := volume.DownwardAPI.Items[i]
			name := strings.TrimSuffix(strings.TrimPrefix(item.FieldRef.FieldPath, "metadata.annotations['"), "']")
			must(os.WriteFile(filepath.Join(path, item.Path), []byte(pod.Annotations[name]), 0o644))
		}
	}
}

// Whatever is in the root of this machine is in that of the container, and the volumes where they are to be.
func (self *node) confine(pod *core.Pod, spec *core.Container) []string {
	words := []string{"--unshare-pid", "--as-pid-1", "--die-with-parent", "--info-fd", "3"}
	entries, err := os.ReadDir("/")
	must(err)
	for _, entry := range entries {
		if path := "/" + entry.Name(); entry.Name() != "proc" {
			words = append(words, "--dev-bind-try", path, path)
		}
	}
	words = append(words, "--proc", "/proc")
	for _, mount := range spec.VolumeMounts {
		words = append(words, "--bind", filepath.Join(self.folderOf(pod), mount.Name, mount.SubPath), mount.MountPath)
	}
	return append(append(words, "--"), spec.Command...)
}

func (self *node) startContainer(pod *core.Pod, spec *core.Container) (*container, *exec.Cmd, error) {
	output, err := os.Create(filepath.Join(self.folderOf(pod), spec.Name+".log"))
	if err != nil {
		return nil, nil, err
	}
	defer output.Close()
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer reader.Close()
	command := exec.Command("bwrap", self.confine(pod, spec)...)
	command.Stdout, command.Stderr, command.ExtraFiles = output, output, []*os.File{writer}
	command.Env = append(os.Environ(), "PATH="+self.image+":"+os.Getenv("PATH"), "DYNO_DATA_DIR="+self.folderOf(pod)+"/data")
	err = command.Start()
	writer.Close()
	if err != nil {
		return nil, nil, err
	}
	var info struct {
		Process int `json:"child-pid"`
	}
	if err := json.NewDecoder(reader).Decode(&info); err != nil {
		return nil, nil, errors.Join(err, command.Wait())
	}
	return &container{info.Process, core.ContainerState{Running: &core.ContainerStateRunning{StartedAt: now()}}}, command, nil
}

func (self *node) start(pod *core.Pod) {
	self.writeVolumes(pod)
	self.pods[pod.UID] = map[string]*container{}
	for i := range pod.Spec.Containers {
		spec := &pod.Spec.Containers[i]
		running, command, err := self.startContainer(pod, spec)
		if err != nil {
			log.Print(err)
			running = &container{state: core.ContainerState{Terminated: &core.ContainerStateTerminated{
				ExitCode: 128, Reason: "StartError", Message: err.Error(), FinishedAt: now()}}}
		} else {
			go self.follow(pod, running, command)
		}
		self.pods[pod.UID][spec.Name] = running
	}
	self.report(pod)
}

func (self *node) follow(pod *core.Pod, running *container, command *exec.Cmd) {
	err := command.Wait()
	terminated := &core.ContainerStateTerminated{ExitCode: int32(command.ProcessState.ExitCode()), Reason: "Completed",
		StartedAt: running.state.Running.StartedAt, FinishedAt: now()}
	if err != nil {
		terminated.Reason = "Error"
	}
	self.lock.Lock()
	defer self.lock.Unlock()
	running.state, running.process = core.ContainerState{Terminated: terminated}, 0
	self.report(pod)
}

func (self *node) describe(pod *core.Pod) core.PodStatus {
	phase, ready := core.PodSucceeded, core.ConditionTrue
	status := core.PodStatus{HostIP: "127.0.0.1", PodIP: "127.0.0.1", StartTime: ptr.To(pod.CreationTimestamp)}
	for _, spec := range pod.Spec.Containers {
		state := self.pods[pod.UID][spec.Name].state
		status.ContainerStatuses = append(status.ContainerStatuses, core.ContainerStatus{Name: spec.Name, Image: spec.Image,
			State: state, Ready: state.Running != nil, Started: ptr.To(state.Running != nil)})
		if state.Running != nil {
			phase = core.PodRunning
		} else {
			ready = core.ConditionFalse
			if state.Terminated.ExitCode != 0 && phase != core.PodRunning {
				phase = core.PodFailed
			}
		}
	}
	status.Phase = phase
	for _, kind := range []core.PodConditionType{core.PodReady, core.ContainersReady} {
		status.Conditions = append(status.Conditions, core.PodCondition{Type: kind, Status: ready, LastTransitionTime: now()})
	}
	return status
}

// Says how a pod is; one that is being deleted goes when nothing of it is at work.
func (self *node) report(pod *core.Pod) {
	ctx, pods := context.Background(), self.client.CoreV1().Pods(pod.Namespace)
	status := self.describe(pod)
	text, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": status})
	must(err)
	answer, err := pods.Patch(ctx, pod.Name, types.StrategicMergePatchType, text, meta.PatchOptions{}, "status")
	if err == nil && answer.DeletionTimestamp != nil && status.Phase != core.PodRunning {
		err = pods.Delete(ctx, pod.Name, meta.DeleteOptions{GracePeriodSeconds: ptr.To(int64(0)),
			Preconditions: meta.NewUIDPreconditions(string(pod.UID))})
	}
	if err != nil {
		log.Print(err)
	}
}

func (self *node) end(pod *core.Pod, signal syscall.Signal) {
	for _, each := range self.pods[pod.UID] {
		if each.process != 0 {
			syscall.Kill(each.process, signal)
		}
	}
}

// The machine began anew while the pod was at work; containerd says so.
func (self *node) forget(pod *core.Pod) {
	self.pods[pod.UID] = map[string]*container{}
	for _, spec := range pod.Spec.Containers {
		self.pods[pod.UID][spec.Name] = &container{state: core.ContainerState{Terminated: &core.ContainerStateTerminated{
			ExitCode: 255, Reason: "Unknown", StartedAt: pod.CreationTimestamp, FinishedAt: now()}}}
	}
	self.report(pod)
}

func (self *node) consider(pod *core.Pod) {
	self.lock.Lock()
	defer self.lock.Unlock()
	_, known := self.pods[pod.UID]
	switch {
	case pod.DeletionTimestamp != nil && known:
		self.end(pod, syscall.SIGTERM)
		time.AfterFunc(time.Duration(ptr.Deref(pod.DeletionGracePeriodSeconds, 0))*time.Second, func() { self.remove(pod) })
	case known || pod.Status.Phase == core.PodSucceeded || pod.Status.Phase == core.PodFailed:
	case pod.DeletionTimestamp != nil || pod.Status.Phase == core.PodRunning:
		self.forget(pod)
	default:
		self.start(pod)
	}
}

func (self *node) remove(pod *core.Pod) {
	self.lock.Lock()
	defer self.lock.Unlock()
	self.end(pod, syscall.SIGKILL)
}

func (self *node) watch() {
	source := cache.NewListWatchFromClient(self.client.CoreV1().RESTClient(), "pods", "",
		fields.OneTermEqualSelector("spec.nodeName", self.name))
	_, controller := cache.NewInformerWithOptions(cache.InformerOptions{ListerWatcher: source, ObjectType: &core.Pod{},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    func(object any) { self.consider(object.(*core.Pod)) },
			UpdateFunc: func(_, object any) { self.consider(object.(*core.Pod)) },
			DeleteFunc: func(object any) {
				if pod, fits := object.(*core.Pod); fits {
					self.remove(pod)
				}
			}}})
	controller.Run(make(chan struct{}))
}

// The server

// Which process has that name in the path of a question.
func (self *node) find(request *http.Request) (*core.Pod, *container, error) {
	pod, err := self.client.CoreV1().Pods(request.PathValue("namespace")).Get(request.Context(), request.PathValue("pod"),
		meta.GetOptions{})
	if err != nil {
		return nil, nil, err
	}
	self.lock.Lock()
	defer self.lock.Unlock()
	found := self.pods[pod.UID][request.PathValue("container")]
	if found == nil {
		return nil, nil, errors.New("container not found")
	}
	return pod, ptr.To(*found), nil
}

func (self *container) ExecInContainer(ctx context.Context, _ string, _ types.UID, _ string, words []string, in io.Reader,
	out, err io.WriteCloser, _ bool, _ <-chan streams.TerminalSize, _ time.Duration) error {
	arguments := []string{"--target", strconv.Itoa(self.process), "--mount", "--pid"}
	if os.Getuid() != 0 {
		arguments = append(arguments, "--user", "--preserve-credentials")
	}
	command := exec.CommandContext(ctx, "nsenter", append(append(arguments, "--"), words...)...)
	environment, failure := os.ReadFile("/proc/" + strconv.Itoa(self.process) + "/environ")
	if failure != nil {
		return failure
	}
	command.Env = strings.Split(strings.TrimSuffix(string(environment), "\x00"), "\x00")
	command.Stdout, command.Stderr = out, err
	if in != nil {
		pipe, failure := command.StdinPipe()
		if failure != nil {
			return failure
		}
		go func() {
			io.Copy(pipe, in)
			pipe.Close()
		}()
	}
	failure = command.Run()
	var ended *exec.ExitError
	if errors.As(failure, &ended) {
		return utilexec.CodeExitError{Err: failure, Code: ended.ExitCode()}
	}
	return failure
}

func (self *node) serveExec(writer http.ResponseWriter, request *http.Request) {
	pod, found, err := self.find(request)
	if err == nil && found.process == 0 {
		err = errors.New("container not running")
	}
	options, wrong := remotecommand.NewOptions(request)
	if err = errors.Join(err, wrong); err != nil {
		http.Error(writer, err.Error(), http.StatusInternalServerError)
		return
	}
	remotecommand.ServeExec(writer, request, found, pod.Name, pod.UID, request.PathValue("container"),
		request.URL.Query()["command"], options, patience, patience, constants.SupportedStreamingProtocols)
}

func (self *node) serveLogs(writer http.ResponseWriter, request *http.Request) {
	pod, _, err := self.find(request)
	if err != nil {
		http.Error(writer, err.Error(), http.StatusNotFound)
		return
	}
	http.ServeFile(writer, request, filepath.Join(self.folderOf(pod), request.PathValue("container")+".log"))
}

// Returns the port. The certificate is one for tests, which the server does not look at.
func (self *node) serve() int32 {
	routes := http.NewServeMux()
	routes.HandleFunc("/exec/{namespace}/{pod}/{container}", self.serveExec)
	routes.HandleFunc("/containerLogs/{namespace}/{pod}/{container}", self.serveLogs)
	server := httptest.NewUnstartedServer(routes)
	server.StartTLS()
	return int32(server.Listener.Addr().(*net.TCPAddr).Port)
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must(err)
	self := &node{name: os.Args[2], folder: os.Args[3], image: os.Args[4], client: kubernetes.NewForConfigOrDie(config),
		pods: map[types.UID]map[string]*container{}}
	self.register(readPairs(os.Args[5]), readPairs(os.Args[6]), self.serve())
	go self.renewLease()
	self.watch()
}
