"""Mastodon.py schedules statuses. Usage: python mastodon_schedule.py http://HOST:PORT"""

from datetime import datetime, timedelta, timezone

from people import ask, ids, people
from steps import Steps, refused, same, true

step = Steps()
ada, bob = people("ada", "bob")


def later(**span):
    return (datetime.now(timezone.utc) + timedelta(**span)).replace(microsecond=0)


@step("a status is scheduled")
def _():
    time = later(hours=2)
    scheduled = ada.status_post("later", scheduled_at=time, visibility="unlisted", spoiler_text="cw", language="de")
    same(scheduled.scheduled_at, time, "time")
    wanted = ("later", "unlisted", "cw", "de", None)
    params = scheduled.params
    same((params.text, params.visibility, params.spoiler_text, params.language, params.poll), wanted)
    same(scheduled.media_attachments, [])
    same(ids(ada.scheduled_statuses()), [str(scheduled.id)])
    same(ada.scheduled_status(scheduled).params.text, "later")
    same(ada.timeline_home(), [], "home")
    same(ada.account_verify_credentials().statuses_count, 0)


@step("it is moved and canceled")
def _():
    scheduled = ada.status_post("moving", scheduled_at=later(hours=2))
    time = later(days=3)
    same(ada.scheduled_status_update(scheduled, time).scheduled_at, time)
    same(ada.scheduled_status(scheduled).scheduled_at, time, "stored")
    ada.scheduled_status_delete(scheduled)
    refused(lambda: ada.scheduled_status(scheduled), "NotFound", "404")


@step("a reply is scheduled")
def _():
    question = bob.status_post("a question")
    scheduled = ada.status_reply(question, "an answer", scheduled_at=later(hours=1))
    same(str(scheduled.params.in_reply_to_id), str(question.id))
    ada.scheduled_status_delete(scheduled)


@step("a time that is too soon is refused")
def _():
    refused(lambda: ada.status_post("now", scheduled_at=later(minutes=4)), "at least 5 minutes")
    scheduled = ada.status_post("later", scheduled_at=later(hours=2))
    refused(lambda: ada.scheduled_status_update(scheduled, later(minutes=4)), "at least 5 minutes")
    ada.scheduled_status_delete(scheduled)


@step("the same key schedules only once")
def _():
    time = later(hours=2)
    one, two = (ada.status_post("once", scheduled_at=time, idempotency_key="a key") for _ in range(2))
    same(one.id, two.id)
    ada.scheduled_status_delete(one)


@step("nobody else sees it")
def _():
    scheduled = ada.status_post("mine", scheduled_at=later(hours=2))
    same(bob.scheduled_statuses(), [])
    refused(lambda: bob.scheduled_status(scheduled), "NotFound", "404")
    refused(lambda: bob.scheduled_status_delete(scheduled), "NotFound", "404")
    true(ada.scheduled_status(scheduled).id == scheduled.id, "gone")


@step("pages")
def _():
    made = [str(ada.status_post(f"number {number}", scheduled_at=later(hours=5)).id) for number in range(5)]
    first = ask(ada, "GET", "/api/v1/scheduled_statuses?limit=2")
    same(ids(first), [made[4], made[3]])
    same(ids(ask(ada, "GET", f"/api/v1/scheduled_statuses?limit=2&max_id={made[3]}")), [made[2], made[1]])
    same(ids(ask(ada, "GET", f"/api/v1/scheduled_statuses?limit=2&min_id={made[0]}")), [made[2], made[1]])


step.finish()
