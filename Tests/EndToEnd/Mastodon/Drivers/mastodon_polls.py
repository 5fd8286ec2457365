"""Mastodon.py posts polls, votes and edits. Usage: python mastodon_polls.py http://HOST:PORT"""

from datetime import datetime, timedelta, timezone

from people import ask, people
from steps import Steps, refused, same, true

step = Steps()
ada, bob, cleo = people("ada", "bob", "cleo")


def post(options=("cats", "dogs", "birds"), seconds=3600, **more):
    poll = ada.make_poll(list(options), seconds, **more)
    return ada.status_post("which?", poll=poll)


def vote(person, poll, choices):
    """The poll afterwards, which older versions do not return."""
    return person.poll_vote(poll, choices) or person.poll(poll)


def votes(poll):
    return [option.votes_count for option in poll.options]


@step("a poll, as its author and others see it")
def _():
    before = datetime.now(timezone.utc)
    status = post()
    after = datetime.now(timezone.utc)
    for person, voted in ((ada, True), (bob, False)):
        poll = person.status(status).poll
        same([option.title for option in poll.options], ["cats", "dogs", "birds"])
        same((poll.expired, poll.multiple, poll.voted, poll.votes_count), (False, False, voted, 0))
        same(person.poll(poll).id, poll.id)
    # The time of the server is that of this machine, in whole milliseconds.
    begun = poll.expires_at - timedelta(seconds=3600)
    true(before - timedelta(seconds=1) < begun <= after, f"it is open until {poll.expires_at}, posted at {before}")
    true(ada.timeline_public()[0].poll is not None, "not in the timeline")


@step("a vote, once")
def _():
    poll = post().poll
    voted = vote(bob, poll, 1)
    same((votes(voted), voted.voted, list(voted.own_votes)), ([0, 1, 0], True, [1]))
    refused(lambda: bob.poll_vote(poll, 1), "already voted")
    refused(lambda: bob.poll_vote(poll, 0), "already voted")
    refused(lambda: cleo.poll_vote(poll, 3), "does not exist")
    refused(lambda: cleo.poll_vote(poll, [0, 1]), "already voted")
    refused(lambda: ada.poll_vote(poll, 0), "own polls")
    same(votes(cleo.poll(poll)), [0, 1, 0])


@step("several choices")
def _():
    poll = post(multiple=True).poll
    bob.poll_vote(poll, [0, 2])
    found = vote(cleo, poll, [2])
    same((votes(found), found.votes_count, found.voters_count), ([1, 0, 2], 3, 2))
    same(list(bob.poll(poll).own_votes), [0, 2])


@step("hidden totals")
def _():
    poll = post(hide_totals=True).poll
    found = vote(bob, poll, 0)
    same((votes(found), found.votes_count), ([None, None, None], 1))


@step("a poll that is not valid is refused with the reason")
def _():
    refused(lambda: post(["one"]), "more than one item")
    refused(lambda: post(["a", "b", "c", "d", "e"]), "more than 4 items")
    refused(lambda: post(["a", "x" * 51]), "50 characters")
    refused(lambda: post(["a", "a"]), "duplicate")
    refused(lambda: post(seconds=1), "too soon")
    refused(lambda: post(seconds=40 * 86_400), "too far")


@step("limits of the instance")
def _():
    found = ada.instance().configuration.polls
    same((found.max_options, found.max_characters_per_option), (4, 50))
    same((found.min_expiration, found.max_expiration), (300, 2629746))


def edit(status, **poll):
    return ask(ada, "PUT", f"/api/v1/statuses/{status.id}", json={"status": "which?", "poll": poll})["poll"]


@step("another end keeps the votes, other options do not")
def _():
    status = post()
    bob.poll_vote(status.poll, 0)
    later = edit(status, options=["cats", "dogs", "birds"], expires_in=7200)
    same(later["votes_count"], 1)
    true(bob.status(status).poll.expires_at > status.poll.expires_at, "the end did not move")
    same(edit(status, options=["cats", "fish"], expires_in=7200)["votes_count"], 0)
    same(votes(vote(bob, status.poll, 1)), [0, 1])
    history = bob.status_history(status)
    same([option.title for option in history[-1].poll.options], ["cats", "fish"])


@step("a deleted status and its poll")
def _():
    status = post()
    same(len(ada.status_delete(status).poll.options), 3)
    refused(lambda: bob.poll(status.poll), "404", "not found")


@step("a poll one may not see")
def _():
    poll = ada.make_poll(["a", "b"], 3600)
    hidden = ada.status_post("for me", visibility="direct", poll=poll).poll
    refused(lambda: bob.poll(hidden), "404", "not found")
    refused(lambda: bob.poll_vote(hidden, 0), "404", "not found")


step.finish()
