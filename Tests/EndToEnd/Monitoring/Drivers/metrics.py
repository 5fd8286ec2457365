"""metrics.py ADDRESS: reads /metrics with the parser of the Prometheus client, and checks what it found."""
import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
text = opener.open(sys.argv[1] + "/metrics", timeout=300).read().decode()
families = {family.name: family for family in text_string_to_metric_families(text)}
problems = []

for family in families.values():
    if not family.documentation:
        problems.append(f"{family.name} has no help")
    if family.type not in ("counter", "gauge", "histogram"):
        problems.append(f"{family.name} has the type {family.type}")
    if family.type != "histogram":
        continue
    series = {}
    for sample in family.samples:
        labels = tuple(sorted((name, value) for name, value in sample.labels.items() if name != "le"))
        series.setdefault(labels, {})[(sample.name, sample.labels.get("le"))] = sample.value
    for labels, values in series.items():
        buckets = [value for (name, _), value in values.items() if name.endswith("_bucket")]
        if buckets != sorted(buckets):
            problems.append(f"the buckets of {family.name} {labels} do not ascend")
        if values[(family.name + "_bucket", "+Inf")] != values[(family.name + "_count", None)]:
            problems.append(f"the last bucket of {family.name} {labels} is not its count")

for name in (
    "feedserver_http_requests", "feedserver_http_request_duration_seconds", "feedserver_http_connections",
    "feedserver_cache_requests", "feedserver_commit_jobs", "feedserver_commit_duration_seconds",
    "feedserver_commit_sync_seconds", "feedserver_commit_queue", "feedserver_password_queue",
    "feedserver_failed_logins", "feedserver_change_log_lag", "feedserver_memory_anonymous_bytes",
    "process_start_time_seconds", "feedserver_build_info",
):
    if name not in families:
        problems.append(f"{name} is missing")

for problem in problems:
    print("FAIL", problem)
if not problems:
    print("ok", len(families), "metrics")
sys.exit(1 if problems else 0)
