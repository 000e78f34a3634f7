/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "dyno-cluster-driver.h"
#include "dyno-cluster-private.h"
#include "dyno-error.h"
#include "dyno-json.h"

/* Labels and annotations of Dyno. */
#define SUBMISSION "dynobench.github.io/submission"
#define JOB        "dynobench.github.io/job"
#define FIRST      "dynobench.github.io/first-document"
#define GATE       "dynobench.github.io/node"

#define INDEX "batch.kubernetes.io/job-completion-index"

/* In a pod. */
#define TASKS_FOLDER "/dyno/job/tasks"
#define TAKEN        TASKS_FOLDER "/taken"

#define IMAGE_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./:@_-"

/* The status of “timeout” if the time was up. */
#define TIME_WAS_UP 124

/* All pods of an Indexed Job are alike until each is pinned to its node, so a gate keeps the scheduler from them before
 * that. Documents outlive the container that writes them, because another one waits until they are fetched. The job needs
 * its id twice, the number of tasks twice, the id, the affinity, and the image twice. */
#define UNPRIVILEGED "{\"allowPrivilegeEscalation\": false, \"capabilities\": {\"drop\": [\"ALL\"]}}"
static const char job_text[] =
    "{\"apiVersion\": \"batch/v1\", \"kind\": \"Job\","
    " \"metadata\": {\"name\": \"dyno-%s\","
    "  \"labels\": {\"app.kubernetes.io/name\": \"dyno\", \"" SUBMISSION "\": \"%s\"}},"
    " \"spec\": {\"completionMode\": \"Indexed\", \"completions\": %u, \"parallelism\": %u,"
    "  \"backoffLimit\": 1000000, \"ttlSecondsAfterFinished\": 604800,"
    "  \"template\": {\"metadata\": {\"labels\": {\"app.kubernetes.io/name\": \"dyno\", \"" SUBMISSION
    "\": \"%s\"}},"
    "   \"spec\": {\"schedulingGates\": [{\"name\": \"" GATE "\"}], \"affinity\": %s,"
    "    \"restartPolicy\": \"Never\", \"automountServiceAccountToken\": false, \"enableServiceLinks\": "
    "false,"
    "    \"securityContext\": {\"runAsNonRoot\": true, \"seccompProfile\": {\"type\": \"RuntimeDefault\"}},"
    "    \"containers\": ["
    "     {\"name\": \"measure\", \"image\": \"%s\", \"securityContext\": " UNPRIVILEGED ","
    "      \"command\": [\"dyno-cli\", \"jobs\", \"task\", \"/dyno/job\", \"0\"],"
    "      \"volumeMounts\": ["
    "       {\"name\": \"job\", \"mountPath\": \"/dyno/job/job.json\", \"subPath\": \"job.json\"},"
    "       {\"name\": \"tasks\", \"mountPath\": \"" TASKS_FOLDER "\"}]},"
    "     {\"name\": \"keep\", \"image\": \"%s\", \"securityContext\": " UNPRIVILEGED ","
    "      \"command\": [\"sh\", \"-c\","
    "       \"trap 'exit 0' TERM; until [ -e " TAKEN " ]; do sleep 1 & wait $!; done\"],"
    "      \"volumeMounts\": [{\"name\": \"tasks\", \"mountPath\": \"" TASKS_FOLDER "\"}]}],"
    "    \"volumes\": ["
    "     {\"name\": \"job\", \"downwardAPI\": {\"items\": [{\"path\": \"job.json\","
    "       \"fieldRef\": {\"fieldPath\": \"metadata.annotations['" JOB "']\"}}]}},"
    "     {\"name\": \"tasks\", \"emptyDir\": {}}]}}}}";

/* A task that has its node for itself keeps away from all pods but those that every node has, and the scheduler keeps
 * others from it. The others only keep away from Dyno. */
static const char alone_text[] =
    "{\"podAntiAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\": ["
    "  {\"topologyKey\": \"kubernetes.io/hostname\","
    "   \"labelSelector\": {\"matchExpressions\": ["
    "    {\"key\": \"pod-template-generation\", \"operator\": \"DoesNotExist\"}]},"
    "   \"namespaceSelector\": {\"matchExpressions\": ["
    "    {\"key\": \"kubernetes.io/metadata.name\", \"operator\": \"NotIn\", \"values\": "
    "[\"kube-system\"]}]}}]}}";
static const char shared_text[] =
    "{\"podAntiAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\": ["
    "  {\"topologyKey\": \"kubernetes.io/hostname\", \"namespaceSelector\": {},"
    "   \"labelSelector\": {\"matchLabels\": {\"app.kubernetes.io/name\": \"dyno\"}}}]}}";

/* Commands */

/* Parts of kubectl's last line. */
static const struct
{
  const char *part;
  const char *sentence;
} troubles[] = {
  { "no PriorityClass",
    N_ ("Kubernetes does not have the class that --qos names. “kubectl get priorityclasses” "
        "lists those that it has.") },
  { "orbidden",
    N_ ("Kubernetes does not allow it. Ask its administrator, or choose another namespace with “kubectl "
        "config set-context --current --namespace=NAME”.") },
  { "Unauthorized", N_ ("Kubernetes does not know you. Log in to the cluster again.") },
  { "provide credentials", N_ ("Kubernetes does not know you. Log in to the cluster again.") },
  { "The connection to the server",
    N_ ("No Kubernetes cluster can be reached. Choose one with “kubectl config "
        "use-context NAME”, or name its file in KUBECONFIG.") },
  { "Unable to connect to the server",
    N_ ("No Kubernetes cluster can be reached. Choose one with “kubectl config "
        "use-context NAME”, or name its file in KUBECONFIG.") },
};

static char *
run_kubectl (const char *const *words,
             const char *input,
             const DynoCommandLimits *limits,
             char **messages,
             GError **error)
{
  g_autoptr (GError) local_error = NULL;
  char *output = dyno_cluster_command_run (words, input, limits, messages, &local_error);
  const char *line;

  if (output != NULL)
    return output;
  line = strrchr (local_error->message, '\n');
  line = line != NULL ? line + 1 : local_error->message;
  for (guint i = 0; i < G_N_ELEMENTS (troubles); i++)
    if (strstr (line, troubles[i].part) != NULL)
      {
        /* Translators: a sentence with a remedy, and the words of the command */
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("%s “kubectl” says: %s"),
                     _ (troubles[i].sentence), line);
        return NULL;
      }
  g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

static char *
write_object (JsonObject *object)
{
  g_autoptr (JsonNode) root = json_node_alloc ();

  json_node_init_object (root, object);
  return dyno_json_text_write (root, FALSE);
}

/* Returns the element with that text in a member; NULL if there is none. */
static JsonObject *
find_element (JsonArray *array, const char *member, const char *value)
{
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *element = dyno_json_member_get_element (array, i);

      if (g_strcmp0 (dyno_json_member_get_string (element, member), value) == 0)
        return element;
    }
  return NULL;
}

/* Options */

/* Reads NAME=VALUE or NAME:VALUE, several with commas. @domain (nullable): of names without one, whose values are counts. */
static JsonObject *
read_pairs (const char *text, const char *domain, GError **error)
{
  g_autoptr (JsonObject) pairs = json_object_new ();
  g_auto (GStrv) parts = g_strsplit_set (text != NULL ? text : "", ",&", -1);

  for (char **part = parts; *part != NULL && **part != '\0'; part++)
    {
      gsize length = strcspn (*part, "=:");
      const char *value = (*part)[length] != '\0' ? *part + length + 1 : "";
      g_autofree char *key = g_strndup (*part, length);
      g_autofree char *name =
          domain != NULL && strchr (key, '/') == NULL ? g_strconcat (domain, "/", key, NULL) : g_strdup (key);

      if (length > 0 && *value != '\0' &&
          (domain == NULL || g_ascii_string_to_unsigned (value, 10, 1, G_MAXINT, NULL, NULL)))
        {
          json_object_set_string_member (pairs, name, value);
          continue;
        }
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   domain != NULL
                       ? _ ("On Kubernetes --gres takes devices with their number, such as nvidia.com/gpu:1, "
                            "not “%s”.")
                       : _ ("On Kubernetes --constraint takes labels of nodes with their values, such as "
                            "node.kubernetes.io/instance-type=large, not “%s”."),
                   *part);
      return NULL;
    }
  return g_steal_pointer (&pairs);
}

static JsonObject *
read_labels (const DynoClusterOptions *options, GError **error)
{
  return read_pairs (options->constraint, NULL, error);
}

static JsonObject *
read_devices (const DynoClusterOptions *options, GError **error)
{
  return read_pairs (options->gres, "nvidia.com", error);
}

static const char *const lacks[] = {
  "account", "reservation", "nice", "begin", "job-priority", "stage", NULL
};

static gboolean
check_options (const DynoClusterOptions *options, GError **error)
{
  const char *const given[] = { options->account, options->reservation, options->nice,
                                options->begin,   options->priority,    options->stages ? "" : NULL };
  const char *image = dyno_cluster_driver_get_argument (options->target);
  gsize n_digits = options->time != NULL ? strspn (options->time, "0123456789") : 0;

  G_STATIC_ASSERT (G_N_ELEMENTS (given) == G_N_ELEMENTS (lacks) - 1);
  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    if (given[i] != NULL)
      {
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                     /* Translators: --%s is an option */
                     _ ("Kubernetes has nothing that corresponds to --%s: leave it out."), lacks[i]);
        return FALSE;
      }
  if (options->time != NULL &&
      (n_digits == 0 || strlen (options->time + n_digits) > 1 ||
       strspn (options->time + n_digits, "smhd") != strlen (options->time + n_digits)))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("On Kubernetes --time takes a number with s, m, h or d, such as 90m, not “%s”."),
                 options->time);
  else if (image == NULL || image[strspn (image, IMAGE_LETTERS)] != '\0')
    g_set_error_literal (
        error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
        _ ("Name the image that the nodes run, such as --on k8s:registry.example/dyno:0.1. Dyno's "
           "Containerfile makes one."));
  else
    return TRUE;
  return FALSE;
}

/* Nodes */

/* A node repels pods by its taints; those that ask for a device may still come where that is the taint. */
static gboolean
is_usable (JsonObject *node, JsonObject *labels, JsonObject *devices)
{
  JsonObject *spec = dyno_json_member_get_object (node, "spec");
  JsonObject *status = dyno_json_member_get_object (node, "status");
  JsonObject *allocatable = dyno_json_member_get_object (status, "allocatable");
  JsonObject *own_labels =
      dyno_json_member_get_object (dyno_json_member_get_object (node, "metadata"), "labels");
  JsonObject *ready = find_element (dyno_json_member_get_array (status, "conditions"), "type", "Ready");
  JsonArray *taints = dyno_json_member_get_array (spec, "taints");
  g_autoptr (GList) names = json_object_get_members (labels);
  g_autoptr (GList) device_names = json_object_get_members (devices);
  gboolean is_fit = g_strcmp0 (dyno_json_member_get_string (ready, "status"), "True") == 0 &&
                    !dyno_json_member_get_boolean (spec, "unschedulable");

  for (GList *name = names; name != NULL; name = name->next)
    is_fit = is_fit && g_strcmp0 (dyno_json_member_get_string (own_labels, name->data),
                                  dyno_json_member_get_string (labels, name->data)) == 0;
  for (GList *name = device_names; name != NULL; name = name->next)
    {
      const char *count = dyno_json_member_get_string (allocatable, name->data);

      is_fit = is_fit && count != NULL &&
               g_ascii_strtoull (count, NULL, 10) >=
                   g_ascii_strtoull (dyno_json_member_get_string (devices, name->data), NULL, 10);
    }
  for (guint i = 0; taints != NULL && i < json_array_get_length (taints); i++)
    {
      JsonObject *taint = dyno_json_member_get_element (taints, i);
      const char *key = dyno_json_member_get_string (taint, "key");

      is_fit =
          is_fit && (g_strcmp0 (dyno_json_member_get_string (taint, "effect"), "PreferNoSchedule") == 0 ||
                     (key != NULL && json_object_has_member (devices, key)));
    }
  return is_fit;
}

/* Equal nodes differ by some kB of memory. */
static char *
describe_hardware (JsonObject *node)
{
  static const char *const kinds[] = { "kubernetes.io/arch", "node.kubernetes.io/instance-type",
                                       "nvidia.com/gpu.product" };
  JsonObject *metadata = dyno_json_member_get_object (node, "metadata");
  JsonObject *labels = dyno_json_member_get_object (metadata, "labels");
  JsonObject *capacity =
      dyno_json_member_get_object (dyno_json_member_get_object (node, "status"), "capacity");
  g_autoptr (GList) names = capacity != NULL ? json_object_get_members (capacity) : NULL;
  const char *cores = dyno_json_member_get_string (capacity, "cpu");
  const char *memory = dyno_json_member_get_string (capacity, "memory");
  GString *hardware = g_string_new (NULL);

  g_string_append_printf (hardware, "CPUs=%s Memory=%" G_GUINT64_FORMAT "Gi", cores != NULL ? cores : "",
                          memory != NULL ? (g_ascii_strtoull (memory, NULL, 10) + (1 << 19)) >> 20 : 0);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (dyno_json_member_get_string (labels, kinds[i]) != NULL)
      g_string_append_printf (hardware, " %s=%s", kinds[i], dyno_json_member_get_string (labels, kinds[i]));
  for (GList *name = names; name != NULL; name = name->next)
    if (strchr (name->data, '/') != NULL && dyno_json_member_get_string (capacity, name->data) != NULL)
      g_string_append_printf (hardware, " %s=%s", (const char *)name->data,
                              dyno_json_member_get_string (capacity, name->data));
  return g_string_free (hardware, FALSE);
}

static GPtrArray *
list_nodes (const DynoClusterOptions *options, GError **error)
{
  static const char *const words[] = { "kubectl", "get", "nodes", "-o", "json", NULL };
  g_autoptr (JsonObject) labels = check_options (options, error) ? read_labels (options, error) : NULL;
  g_autoptr (JsonObject) devices = labels != NULL ? read_devices (options, error) : NULL;
  g_autofree char *output =
      devices != NULL ? run_kubectl (words, NULL, &dyno_cluster_command_usual, NULL, error) : NULL;
  g_autoptr (JsonObject) root = output != NULL ? dyno_json_parse_object (output, -1, "kubectl", error) : NULL;
  JsonArray *items = dyno_json_member_get_array (root, "items");
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_cluster_node_free);

  for (guint i = 0; items != NULL && i < json_array_get_length (items); i++)
    {
      JsonObject *node = dyno_json_member_get_element (items, i);
      const char *name = dyno_json_member_get_string (dyno_json_member_get_object (node, "metadata"), "name");
      g_autofree char *hardware = describe_hardware (node);

      if (name != NULL && is_usable (node, labels, devices))
        g_ptr_array_add (nodes, dyno_cluster_node_new (name, hardware));
    }
  if (root == NULL)
    return NULL;
  if (nodes->len > 0 || (options->constraint == NULL && options->gres == NULL))
    return g_steal_pointer (&nodes);
  g_set_error_literal (
      error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
      _ ("No node that takes work now has what --constraint and --gres ask for. “kubectl describe "
         "nodes” shows their labels and devices."));
  return NULL;
}

/* Submitting */

static JsonObject *
get_pod_spec (JsonObject *job)
{
  JsonObject *spec = dyno_json_member_get_object (job, "spec");

  return dyno_json_member_get_object (dyno_json_member_get_object (spec, "template"), "spec");
}

static JsonObject *
get_container (JsonObject *spec, const char *name)
{
  return find_element (dyno_json_member_get_array (spec, "containers"), "name", name);
}

static JsonObject *
write_job (const DynoClusterOptions *options, const char *id, guint n_tasks)
{
  const char *image = dyno_cluster_driver_get_argument (options->target);
  const char *affinity = options->shares_nodes ? shared_text : alone_text;
  g_autofree char *text = g_strdup_printf (job_text, id, id, n_tasks, n_tasks, id, affinity, image, image);
  JsonObject *job = dyno_json_parse_object (text, -1, image, NULL);
  JsonObject *pod = get_pod_spec (job);
  JsonObject *measure = get_container (pod, "measure");
  JsonArray *old_command = dyno_json_member_get_array (measure, "command");
  JsonArray *command = json_array_new ();
  JsonArray *tolerations = json_array_new ();
  JsonObject *resources = json_object_new ();
  JsonObject *devices = read_devices (options, NULL);
  g_autoptr (GList) names = json_object_get_members (devices);

  for (GList *name = names; name != NULL; name = name->next)
    {
      JsonObject *toleration = json_object_new ();

      json_object_set_string_member (toleration, "key", name->data);
      json_object_set_string_member (toleration, "operator", "Exists");
      json_array_add_object_element (tolerations, toleration);
    }
  if (options->time != NULL)
    {
      json_array_add_string_element (command, "timeout");
      json_array_add_string_element (command, options->time);
    }
  for (guint i = 0; i < json_array_get_length (old_command); i++)
    json_array_add_string_element (command, json_array_get_string_element (old_command, i));
  json_object_set_object_member (pod, "nodeSelector", read_labels (options, NULL));
  json_object_set_array_member (pod, "tolerations", tolerations);
  json_object_set_object_member (resources, "limits", devices);
  json_object_set_object_member (measure, "resources", resources);
  json_object_set_array_member (measure, "command", command);
  if (options->qos != NULL)
    json_object_set_string_member (pod, "priorityClassName", options->qos);
  return job;
}

/* The only way to name a node that the scheduler still obeys when the node is full. */
static void
pin_pod (JsonObject *pod, const char *node)
{
  g_autofree char *quoted = g_strescape (node, NULL);
  g_autofree char *text = g_strdup_printf (
      "{\"requiredDuringSchedulingIgnoredDuringExecution\": {\"nodeSelectorTerms\": [{"
      "\"matchFields\": [{\"key\": \"metadata.name\", \"operator\": \"In\", \"values\": [\"%s\"]}]}]}}",
      quoted);
  g_autoptr (JsonObject) term = dyno_json_parse_object (text, -1, "", NULL);
  JsonObject *affinity = dyno_json_member_get_object (pod, "affinity");

  if (term == NULL || affinity == NULL)
    return;
  json_object_set_object_member (affinity, "nodeAffinity", json_object_ref (term));
  json_object_remove_member (pod, "schedulingGates");
}

static char *
describe (const DynoClusterOptions *options)
{
  /* Translators: an image of a container, such as “registry.example/dyno:0.1” */
  return g_strdup_printf (_ ("The tasks are the pods of one Indexed Job with the image “%s”."),
                          dyno_cluster_driver_get_argument (options->target));
}

/* A pod that differs from those of a task only in its command. One that nobody removes ends by itself. */
static char *
write_question_pod (const DynoClusterOptions *options, const char *name, const char *id, const char *node)
{
  g_autoptr (JsonObject) job = write_job (options, id, 1);
  g_autoptr (JsonObject) pod = json_object_new ();
  JsonObject *metadata = dyno_json_member_get_object (job, "metadata");
  JsonObject *spec = get_pod_spec (job);

  pin_pod (spec, node);
  json_object_set_int_member (spec, "activeDeadlineSeconds", 1800);
  json_object_set_array_member (
      get_container (spec, "measure"), "command",
      json_array_ref (dyno_json_member_get_array (get_container (spec, "keep"), "command")));
  json_object_set_string_member (metadata, "name", name);
  json_object_set_string_member (pod, "apiVersion", "v1");
  json_object_set_string_member (pod, "kind", "Pod");
  json_object_set_object_member (pod, "metadata", json_object_ref (metadata));
  json_object_set_object_member (pod, "spec", json_object_ref (spec));
  return write_object (pod);
}

/* The scheduler cannot be asked, but the rules of the cluster can. Some are those of pods alone, such as which classes there
 * are: a job that breaks them is taken, and never gets a pod. */
static gboolean
test_node (
    const DynoClusterOptions *options, const char *node, char **answer, double *free_in, GError **error)
{
  static const char *const words[] = {
    "kubectl", "create", "--dry-run=server", "-o", "name", "-f", "-", NULL
  };
  g_autofree char *id = g_uuid_string_random ();
  g_autoptr (JsonObject) job = write_job (options, id, 1);
  g_autofree char *manifest = write_object (job);
  g_autofree char *pod = write_question_pod (options, "dyno-question", id, node);
  g_autofree char *text = g_strconcat (manifest, "\n", pod, NULL);
  g_autofree char *messages = NULL;
  g_autofree char *output = run_kubectl (words, text, &dyno_cluster_command_usual, &messages, error);

  if (output == NULL)
    return FALSE;
  *free_in = 0;
  *answer = *g_strstrip (messages) != '\0'
                ? g_steal_pointer (&messages)
                : g_strdup (_ ("Kubernetes takes the task; its scheduler decides when it begins."));
  return TRUE;
}

/* Returns why a pod waits, as Kubernetes says it and with a remedy; NULL if it says nothing. */
static char *
explain_waiting (JsonObject *pod)
{
  JsonObject *status = dyno_json_member_get_object (pod, "status");
  JsonObject *scheduled =
      find_element (dyno_json_member_get_array (status, "conditions"), "type", "PodScheduled");
  JsonObject *measure =
      find_element (dyno_json_member_get_array (status, "containerStatuses"), "name", "measure");
  JsonObject *waiting =
      dyno_json_member_get_object (dyno_json_member_get_object (measure, "state"), "waiting");
  const char *reason = dyno_json_member_get_string (waiting, "reason");
  const char *message = dyno_json_member_get_string (waiting, "message");

  if (g_strcmp0 (dyno_json_member_get_string (scheduled, "reason"), "Unschedulable") == 0)
    {
      const char *said = dyno_json_member_get_string (scheduled, "message");

      return g_strdup_printf (_ ("The scheduler says: “%s” Wait until the node is free, or ask for less with "
                                 "--gres, --constraint or --shared-nodes."),
                              said != NULL ? said : "");
    }
  if (reason == NULL || g_str_equal (reason, "ContainerCreating") || g_str_equal (reason, "PodInitializing"))
    return NULL;
  if (strstr (reason, "Image") != NULL || strstr (reason, "Registry") != NULL)
    return g_strdup_printf (
        _ ("Its image cannot be pulled: %s. Check its name, and whether the nodes may read its "
           "registry. Kubernetes tries again until “dyno-cli jobs cancel”."),
        message != NULL ? message : reason);
  return g_strdup_printf (
      _ ("Its container cannot be started: %s. Kubernetes tries again until “dyno-cli jobs cancel”."),
      message != NULL ? message : reason);
}

static char *
ask_node (const DynoClusterOptions *options, const char *node, const char *plan, GError **error)
{
  const DynoClusterOptions asking = {
    .target = options->target, .constraint = options->constraint, .gres = options->gres, .shares_nodes = TRUE
  };
  g_autofree char *id = g_uuid_string_random ();
  g_autofree char *name = g_strconcat ("dyno-question-", id, NULL);
  g_autofree char *question = dyno_cluster_driver_write_question ("dyno-cli");
  const char *create[] = { "kubectl", "create", "-o", "name", "-f", "-", NULL };
  const char *wait[] = { "kubectl", "wait", "--for=condition=Ready", "--timeout=60s", "pod", name, NULL };
  const char *get[] = { "kubectl", "get", "pod", name, "-o", "json", NULL };
  const char *ask[] = { "kubectl", "exec", "-i", name, "-c", "measure", "--", "sh", "-c", question, NULL };
  const char *delete[] = { "kubectl", "delete", "pod", name, "--wait=false", NULL };
  g_autofree char *text = write_question_pod (&asking, name, id, node);
  g_autofree char *created = run_kubectl (create, text, &dyno_cluster_command_usual, NULL, error);
  g_autofree char *ready =
      created != NULL ? run_kubectl (wait, NULL, &dyno_cluster_command_usual, NULL, NULL) : NULL;
  g_autofree char *state = NULL;
  g_autofree char *why = NULL;
  g_autofree char *deleted = NULL;
  g_autofree char *messages = NULL;
  char *answer = NULL;

  if (created == NULL)
    return NULL;
  if (ready != NULL)
    answer = run_kubectl (ask, plan, &dyno_cluster_command_patient, &messages, error);
  else
    state = run_kubectl (get, NULL, &dyno_cluster_command_usual, NULL, NULL);
  deleted = run_kubectl (delete, NULL, &dyno_cluster_command_usual, NULL, NULL);
  if (ready != NULL)
    return dyno_cluster_driver_check_answer (answer, messages, error);

  g_autoptr (JsonObject) pod = dyno_json_try_object (state, -1);

  why = explain_waiting (pod);
  if (why == NULL)
    why = g_strdup (_ ("It has no room for a question now; the task itself finds out what it can measure."));
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BUSY, why);
  return NULL;
}

/* Following */

/* The pods of a submission. Of each task, the last one that may run or has run, and one that waits for being pinned. */
typedef struct
{
  JsonObject *root;
  JsonObject **last;
  JsonObject **gated;
  gboolean has_job;
} Pods;

static void
pods_clear (Pods *self)
{
  g_clear_pointer (&self->root, json_object_unref);
  g_clear_pointer (&self->last, g_free);
  g_clear_pointer (&self->gated, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pods, pods_clear)

static const char *
get_metadata (JsonObject *object, const char *name)
{
  return dyno_json_member_get_string (dyno_json_member_get_object (object, "metadata"), name);
}

static const char *
get_annotation (JsonObject *object, const char *name)
{
  JsonObject *metadata = dyno_json_member_get_object (object, "metadata");

  return dyno_json_member_get_string (dyno_json_member_get_object (metadata, "annotations"), name);
}

static const char *
get_status (JsonObject *pod, const char *name)
{
  return dyno_json_member_get_string (dyno_json_member_get_object (pod, "status"), name);
}

/* A job that is complete or has failed makes no more pods. */
static gboolean
is_open_job (JsonObject *item)
{
  JsonObject *status = dyno_json_member_get_object (item, "status");
  JsonArray *conditions = dyno_json_member_get_array (status, "conditions");

  return g_strcmp0 (dyno_json_member_get_string (item, "kind"), "Job") == 0 &&
         find_element (conditions, "type", "Complete") == NULL &&
         find_element (conditions, "type", "Failed") == NULL;
}

static gboolean
list_pods (DynoClusterJob *job, Pods *pods, GError **error)
{
  g_autofree char *selector = g_strconcat (SUBMISSION "=", job->id, NULL);
  const char *words[] = { "kubectl", "get", "jobs,pods", "-l", selector, "-o", "json", NULL };
  g_autofree char *output = run_kubectl (words, NULL, &dyno_cluster_command_usual, NULL, error);
  JsonArray *items;

  pods->root = output != NULL ? dyno_json_parse_object (output, -1, "kubectl", error) : NULL;
  pods->last = g_new0 (JsonObject *, job->tasks->len);
  pods->gated = g_new0 (JsonObject *, job->tasks->len);
  items = dyno_json_member_get_array (pods->root, "items");
  for (guint i = 0; items != NULL && i < json_array_get_length (items); i++)
    {
      JsonObject *item = dyno_json_member_get_element (items, i);
      JsonObject *spec = dyno_json_member_get_object (item, "spec");
      const char *index = get_annotation (item, INDEX);
      JsonObject **place;
      guint64 number;

      pods->has_job = pods->has_job || is_open_job (item);
      if (index == NULL || !g_ascii_string_to_unsigned (index, 10, 0, job->tasks->len - 1, &number, NULL))
        continue;
      place = dyno_json_member_get_array (spec, "schedulingGates") != NULL ? pods->gated : pods->last;
      if (place[number] == NULL || g_strcmp0 (get_metadata (place[number], "creationTimestamp"),
                                              get_metadata (item, "creationTimestamp")) < 0)
        place[number] = item;
    }
  return pods->root != NULL;
}

static JsonObject *
get_state (JsonObject *pod, const char *name)
{
  JsonObject *status = dyno_json_member_get_object (pod, "status");
  JsonObject *measure =
      find_element (dyno_json_member_get_array (status, "containerStatuses"), "name", "measure");

  return dyno_json_member_get_object (dyno_json_member_get_object (measure, "state"), name);
}

/* A task that was ended by Kubernetes begins again; one that ended by itself does not. After its node has begun anew, the
 * node says one of two words of a container that it does not have any more. */
static gboolean
has_ended (JsonObject *pod)
{
  JsonObject *terminated = get_state (pod, "terminated");
  const char *reason = dyno_json_member_get_string (terminated, "reason");

  return terminated != NULL && get_status (pod, "reason") == NULL &&
         g_strcmp0 (reason, "ContainerStatusUnknown") != 0 && g_strcmp0 (reason, "Unknown") != 0 &&
         get_metadata (pod, "deletionTimestamp") == NULL;
}

/* A document of a pod begins with 0, and is that of the start after those that are here. */
static gboolean
take_document (
    DynoClusterJob *job, guint number, guint first, const char *folder, const char *name, GError **error)
{
  g_autofree char *source = g_build_filename (folder, name, NULL);
  g_autofree char *suffix = NULL;
  g_autofree char *target = NULL;
  unsigned start = 0;
  int end = 0;
  gboolean is_document = sscanf (name, "0-r%u.dyno%n", &start, &end) == 1 && end > 0 &&
                         (name[end] == '\0' || g_str_equal (name + end, ".part")) &&
                         g_file_test (source, G_FILE_TEST_IS_REGULAR) &&
                         !g_file_test (source, G_FILE_TEST_IS_SYMLINK);

  if (!is_document)
    {
      g_remove (source);
      return TRUE;
    }
  suffix = g_strdup_printf ("-r%u.dyno%s", first + start, name + end);
  target = dyno_cluster_job_build_path (job, number, suffix);
  if (g_rename (source, target) == 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("“%s” cannot be written: %s."), target,
               g_strerror (errno));
  return FALSE;
}

/* A document may get its name while it is copied, which fails once. */
static gboolean
bring (DynoClusterJob *job, guint number, JsonObject *pod, GError **error)
{
  const char *first = get_annotation (pod, FIRST);
  g_autofree char *source = g_strconcat (get_metadata (pod, "name"), ":" TASKS_FOLDER, NULL);
  g_autofree char *base = g_strdup_printf ("incoming-%u", number);
  g_autofree char *incoming = g_build_filename (job->folder, base, NULL);
  const char *words[] = { "kubectl", "cp", "-c", "keep", source, incoming, NULL };
  g_autofree char *output = NULL;
  gboolean is_taken = TRUE;
  const char *name;

  g_mkdir_with_parents (incoming, 0700);
  output = run_kubectl (words, NULL, &dyno_cluster_command_usual, NULL, NULL);
  if (output == NULL)
    output = run_kubectl (words, NULL, &dyno_cluster_command_usual, NULL, error);

  g_autoptr (GDir) folder = output != NULL ? g_dir_open (incoming, 0, error) : NULL;

  while (is_taken && folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    is_taken = take_document (job, number, first != NULL ? (guint)g_ascii_strtoull (first, NULL, 10) : 0,
                              incoming, name, error);
  g_rmdir (incoming);
  return folder != NULL && is_taken;
}

/* Ends a pod whose documents are here. The log is written last, so a task with a log needs nothing more of its pod. */
static gboolean
release (DynoClusterJob *job, guint number, JsonObject *pod, GError **error)
{
  const char *name = get_metadata (pod, "name");
  const char *touch[] = { "kubectl", "exec", name, "-c", "keep", "--", "touch", TAKEN, NULL };
  const char *logs[] = { "kubectl", "logs", name, "-c", "measure", NULL };
  g_autofree char *path = dyno_cluster_job_build_path (job, number, ".log");
  g_autofree char *touched = run_kubectl (touch, NULL, &dyno_cluster_command_usual, NULL, error);
  g_autofree char *log = NULL;
  g_autoptr (GError) local_error = NULL;

  if (touched == NULL)
    return FALSE;
  log = run_kubectl (logs, NULL, &dyno_cluster_command_usual, NULL, &local_error);
  return g_file_set_contents (path, log != NULL ? log : local_error->message, -1, error);
}

static void
set_state (DynoClusterTask *task, DynoTaskState state, char *reason)
{
  task->state = state;
  g_free (task->reason);
  task->reason = reason;
}

static void
judge_ended (DynoClusterJob *job, guint number, JsonObject *pod)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  JsonObject *terminated = get_state (pod, "terminated");
  const char *reason = dyno_json_member_get_string (terminated, "reason");
  const char *message = dyno_json_member_get_string (terminated, "message");
  const char *why;
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (reason, "OOMKilled") == 0)
    set_state (task, DYNO_TASK_FAILED,
               g_strdup (_ (
                   "Kubernetes ended it because its memory was used up (OOMKilled). Finished cases are kept; "
                   "measure smaller ones, or name larger nodes with --constraint.")));
  else if (dyno_json_member_get_int64 (terminated, "exitCode", 0) == TIME_WAS_UP)
    {
      set_state (task, dyno_task_state_from_slurm ("TIMEOUT", &why), NULL);
      task->reason = g_strdup (why);
    }
  else if (message != NULL &&
           (g_strcmp0 (reason, "StartError") == 0 || g_strcmp0 (reason, "ContainerCannotRun") == 0))
    set_state (task, DYNO_TASK_FAILED,
               g_strdup_printf (_ ("Its container could not be started: %s. Check that the image has Dyno."),
                                message));
  else
    set_state (task, DYNO_TASK_ENDED, NULL);
  if (g_strcmp0 (get_status (pod, "phase"), "Running") == 0 &&
      !(bring (job, number, pod, &error) && release (job, number, pod, &error)))
    set_state (
        task, DYNO_TASK_LOST,
        g_strdup_printf (_ ("It has ended, but its results cannot be fetched yet: %s"), error->message));
}

static void
judge_open (DynoClusterJob *job, guint number, JsonObject *pod)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  const char *reason = get_status (pod, "reason");
  const char *message = get_status (pod, "message");
  gboolean is_lost = get_state (pod, "terminated") != NULL;
  JsonObject *status = dyno_json_member_get_object (pod, "status");
  JsonObject *scheduled =
      find_element (dyno_json_member_get_array (status, "conditions"), "type", "PodScheduled");
  g_autoptr (GError) error = NULL;

  if (reason != NULL || is_lost || get_metadata (pod, "deletionTimestamp") != NULL)
    set_state (
        task, DYNO_TASK_WAITING,
        g_strdup_printf (
            _ ("Kubernetes ended its pod (%s). It begins again, without the cases whose results are here."),
            message != NULL  ? message
            : reason != NULL ? reason
            : is_lost        ? _ ("lost by its node")
                             : _ ("removed from its node")));
  else if (get_state (pod, "running") == NULL)
    {
      set_state (task, DYNO_TASK_WAITING, explain_waiting (pod));
      task->lacks_node = g_strcmp0 (dyno_json_member_get_string (scheduled, "reason"), "Unschedulable") == 0;
    }
  else if (bring (job, number, pod, &error) &&
           (!dyno_cluster_job_is_done (job, number) || release (job, number, pod, &error)))
    set_state (task, DYNO_TASK_RUNNING, NULL);
  else
    set_state (task, DYNO_TASK_LOST,
               g_strdup_printf (_ ("It cannot be asked, and may well go on: %s"), error->message));
}

/* Writes the submission for a pod, which only has this task, and the cases that are left of it. */
static void
brief_pod (DynoClusterJob *job, guint number, JsonObject *pod)
{
  JsonObject *metadata = dyno_json_member_get_object (pod, "metadata");
  JsonObject *annotations = dyno_json_member_get_object (metadata, "annotations");
  g_autoptr (DynoPlan) left = dyno_cluster_job_build_plan (job, number, NULL);
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();
  DynoClusterTask task = *(const DynoClusterTask *)job->tasks->pdata[number];
  DynoClusterJob part = *job;
  g_autofree char *text = NULL;
  g_autofree char *document = dyno_cluster_job_choose_document (job, number, NULL);
  const char *start = document != NULL ? g_strrstr (document, "-r") : NULL;
  g_autofree char *first =
      g_strdup_printf ("%" G_GUINT64_FORMAT, start != NULL ? g_ascii_strtoull (start + 2, NULL, 10) : 0);

  task.cases = left != NULL ? (char **)dyno_plan_get_cases (left) : task.cases;
  part.tasks = tasks;
  g_ptr_array_add (tasks, &task);
  text = dyno_cluster_job_to_json (&part);
  json_object_set_string_member (annotations, JOB, text);
  json_object_set_string_member (annotations, FIRST, first);
}

/* Another process may have pinned a pod in the meantime; then the next answer shows where. */
static gboolean
pin (DynoClusterJob *job, const Pods *pods, GError **error)
{
  static const char *const words[] = { "kubectl", "replace", "-f", "-", NULL };
  g_autoptr (JsonObject) list = json_object_new ();
  JsonArray *items = json_array_new ();
  g_autofree char *text = NULL;
  g_autofree char *output = NULL;

  for (guint i = 0; i < job->tasks->len; i++)
    {
      const DynoClusterTask *task = job->tasks->pdata[i];

      if (pods->gated[i] == NULL || task->state != DYNO_TASK_WAITING)
        continue;
      brief_pod (job, i, pods->gated[i]);
      pin_pod (dyno_json_member_get_object (pods->gated[i], "spec"), task->node);
      json_array_add_object_element (items, json_object_ref (pods->gated[i]));
    }
  json_object_set_string_member (list, "apiVersion", "v1");
  json_object_set_string_member (list, "kind", "List");
  json_object_set_array_member (list, "items", items);
  if (json_array_get_length (items) == 0)
    return TRUE;
  text = write_object (list);
  output = run_kubectl (words, text, &dyno_cluster_command_usual, NULL, error);
  return output != NULL;
}

/* A pod that is not gated any more cannot get another node; so a new one takes its place, and is pinned when it is there. */
static gboolean
move_task (DynoClusterJob *job, guint number, GError **error)
{
  g_autofree char *selector = g_strdup_printf (SUBMISSION "=%s," INDEX "=%u", job->id, number);
  const char *words[] = { "kubectl",      "delete",           "pods",    "-l", selector,
                          "--wait=false", "--grace-period=0", "--force", NULL };
  g_autofree char *output = run_kubectl (words, NULL, &dyno_cluster_command_usual, NULL, error);

  return output != NULL;
}

static gboolean
is_settled (DynoClusterJob *job, guint number)
{
  g_autofree char *log = dyno_cluster_job_build_path (job, number, ".log");

  return ((const DynoClusterTask *)job->tasks->pdata[number])->state == DYNO_TASK_DONE &&
         g_file_test (log, G_FILE_TEST_EXISTS);
}

/* The scheduler does not say whether the node of a pod is away or full, but the list of nodes does. */
static void
find_lacking (DynoClusterJob *job)
{
  const DynoClusterOptions options = { .target = job->target };
  g_autoptr (GPtrArray) nodes = NULL;

  for (guint i = 0; i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];

      if (task->lacks_node && nodes == NULL)
        nodes = list_nodes (&options, NULL);
      for (guint j = 0; nodes != NULL && j < nodes->len; j++)
        if (g_str_equal (((const DynoClusterNode *)nodes->pdata[j])->name, task->node))
          task->lacks_node = FALSE;
      task->lacks_node = task->lacks_node && nodes != NULL;
    }
}

static void
look (DynoClusterJob *job, guint number, const Pods *pods)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  JsonObject *pod = pods->last[number];

  task->lacks_node = FALSE;
  task->handle = pods->has_job ? 1 : task->handle;
  if (pod != NULL && has_ended (pod))
    judge_ended (job, number, pod);
  else if (pod != NULL)
    judge_open (job, number, pod);
  else if (pods->has_job)
    set_state (task, DYNO_TASK_WAITING,
               pods->gated[number] != NULL
                   ? NULL
                   : g_strdup_printf (
                         _ ("Kubernetes has not made its pod yet. “kubectl describe job dyno-%s” says why."),
                         job->id));
  else
    set_state (task, DYNO_TASK_LOST,
               g_strdup (task->handle == 0 ? _ ("It was not started there. Submit again.")
                                           : _ ("Kubernetes does not know of it any more.")));
  if (task->is_stopped && task->state == DYNO_TASK_WAITING)
    set_state (task, DYNO_TASK_STOPPED, NULL);
}

/* Pods that wait for being pinned and never will be go when nothing else is at work; the others stay for a week. */
static void
end_job (DynoClusterJob *job, const Pods *pods)
{
  g_autofree char *name = g_strconcat ("dyno-", job->id, NULL);
  const char *words[] = {
    "kubectl", "patch", "job", name, "--type=merge", "-p", "{\"spec\": {\"activeDeadlineSeconds\": 1}}", NULL
  };
  g_autofree char *output = NULL;
  gboolean has_gated = FALSE;

  for (guint i = 0; i < job->tasks->len; i++)
    {
      const DynoClusterTask *task = job->tasks->pdata[i];

      has_gated = has_gated || pods->gated[i] != NULL;
      if (task->state == DYNO_TASK_RUNNING || (dyno_cluster_task_is_open (task) && !task->is_stopped))
        return;
    }
  if (has_gated)
    output = run_kubectl (words, NULL, &dyno_cluster_command_usual, NULL, NULL);
}

static gboolean
poll_tasks (DynoClusterJob *job, GError **error)
{
  g_auto (Pods) pods = { NULL };
  g_autoptr (GError) refusal = NULL;
  guint n_settled = 0;

  for (guint i = 0; i < job->tasks->len; i++)
    n_settled += is_settled (job, i);
  if (n_settled == job->tasks->len)
    return TRUE;
  if (!list_pods (job, &pods, error))
    return FALSE;
  for (guint i = 0; i < job->tasks->len; i++)
    if (!is_settled (job, i))
      look (job, i, &pods);
  if (!pin (job, &pods, &refusal))
    for (guint i = 0; i < job->tasks->len; i++)
      {
        DynoClusterTask *task = job->tasks->pdata[i];

        if (pods.gated[i] != NULL && task->state == DYNO_TASK_WAITING)
          set_state (task, DYNO_TASK_WAITING, g_strdup (refusal->message));
      }
  find_lacking (job);
  end_job (job, &pods);
  return TRUE;
}

static gboolean
submit (DynoClusterJob *job, const DynoClusterOptions *options, GError **error)
{
  g_autofree char *name = g_strconcat ("dyno-", job->id, NULL);
  g_autofree char *condition = g_strdup_printf ("--for=jsonpath={.status.active}=%u", job->tasks->len);
  const char *create[] = { "kubectl", "create", "-o", "name", "-f", "-", NULL };
  const char *delete[] = { "kubectl", "delete", "job", name, "--ignore-not-found", "--wait=false", NULL };
  const char *wait[] = { "kubectl", "wait", condition, "--timeout=60s", "job", name, NULL };
  g_autoptr (JsonObject) manifest = write_job (options, job->id, job->tasks->len);
  g_autofree char *text = write_object (manifest);
  g_autofree char *created = run_kubectl (create, text, &dyno_cluster_command_usual, NULL, error);
  g_autofree char *output = NULL;

  output = run_kubectl (created != NULL ? wait : delete, NULL, &dyno_cluster_command_usual, NULL, NULL);
  if (created == NULL)
    return FALSE;
  for (guint i = 0; i < job->tasks->len; i++)
    ((DynoClusterTask *)job->tasks->pdata[i])->handle = 1;
  /* A pod that is made later, or cannot be pinned now, is pinned when somebody asks about its task. */
  poll_tasks (job, NULL);
  return TRUE;
}

/* Dyno in a pod ends its case, and its documents are fetched as always. A pod that has not begun is removed. */
static gboolean
cancel_task (DynoClusterJob *job, guint number, JsonObject *pod, GPtrArray *words, GError **error)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  const char *name = get_metadata (pod, "name");
  const char *stop[] = { "kubectl", "exec", name, "-c", "measure", "--", "sh", "-c", "kill -TERM 1", NULL };
  g_autoptr (GError) local_error = NULL;
  g_autofree char *output = NULL;

  if (name != NULL && get_state (pod, "running") == NULL)
    g_ptr_array_add (words, (gpointer)name);
  else if (name != NULL)
    output = run_kubectl (stop, NULL, &dyno_cluster_command_usual, NULL, &local_error);
  task->is_stopped = task->is_stopped || local_error == NULL;
  if (local_error == NULL)
    return TRUE;
  set_state (task, task->state, g_strdup (local_error->message));
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
cancel (DynoClusterJob *job, GError **error)
{
  g_auto (Pods) pods = { NULL };
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree char *output = NULL;
  gboolean all_told = TRUE;

  if (!list_pods (job, &pods, error))
    return FALSE;
  g_ptr_array_add (words, (gpointer) "kubectl");
  g_ptr_array_add (words, (gpointer) "delete");
  g_ptr_array_add (words, (gpointer) "--wait=false");
  g_ptr_array_add (words, (gpointer) "pods");
  for (guint i = 0; i < job->tasks->len; i++)
    if (dyno_cluster_task_is_open (job->tasks->pdata[i]) &&
        !cancel_task (job, i, pods.last[i], words, all_told ? error : NULL))
      all_told = FALSE;
  if (words->len > 4)
    {
      g_ptr_array_add (words, NULL);
      output = run_kubectl ((const char *const *)words->pdata, NULL, &dyno_cluster_command_usual, NULL,
                            all_told ? error : NULL);
      all_told = all_told && output != NULL;
    }
  end_job (job, &pods);
  return all_told;
}

const DynoClusterDriver dyno_k8s_driver = {
  .name = "k8s",
  .label = N_ ("Kubernetes Cluster"),
  .takes = "IMAGE",
  .takes_label = N_ ("Image with Dyno"),
  .missing = N_ ("Enter the image that the nodes run"),
  .has_scheduler = TRUE,
  .time_label = N_ ("Time limit per task (such as “90m”)"),
  .lacks = lacks,
  .describe = describe,
  .list_nodes = list_nodes,
  .test = test_node,
  .ask = ask_node,
  .submit = submit,
  .poll = poll_tasks,
  .move = move_task,
  .cancel = cancel,
};
