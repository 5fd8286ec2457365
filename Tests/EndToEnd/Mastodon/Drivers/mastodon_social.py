"""Mastodon.py follows, blocks and mutes. Usage: python mastodon_social.py http://HOST:PORT"""

import time

from people import ask, blocked, ids, locked, muted, names, people, texts
from steps import Steps, refused, same, true

step = Steps()
ada, bob, cleo, dora = people("ada", "bob", "cleo", "dora")
ADA, BOB, CLEO, DORA = (str(person.account_verify_credentials().id) for person in (ada, bob, cleo, dora))


def relation(person, other):
    found = person.account_relationships(other)
    same(ids(found), [other], "relationships")
    return found[0]


def soon(condition, what):
    """Waits for a condition that time alone makes true."""
    end = time.monotonic() + 300
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.2)
    raise AssertionError(f"never: {what}")


@step("follow and unfollow")
def _():
    found = bob.account_follow(ADA)
    same((found.following, found.requested, found.showing_reblogs, found.notifying), (True, False, True, False))
    same((relation(bob, ADA).following, relation(ada, BOB).followed_by), (True, True), "both sides")
    same(ada.account(ADA).followers_count, 1, "followers_count")
    same(bob.account(BOB).following_count, 1, "following_count")
    same((names(ada.account_followers(ADA)), names(ada.account_following(BOB))), (["bob"], ["ada"]))
    same(bob.account_unfollow(ADA).following, False)
    same(ids(ada.account_followers(ADA)), [], "followers")
    same(ada.account(ADA).followers_count, 0, "followers_count")


@step("following twice is following once")
def _():
    for _ in range(2):
        same(bob.account_follow(ADA).following, True)
    same(ada.account(ADA).followers_count, 1, "followers_count")
    for _ in range(2):
        same(bob.account_unfollow(ADA).following, False)


@step("nobody follows or blocks themselves or nobody")
def _():
    for action in (ada.account_follow, ada.account_block, ada.account_mute):
        refused(lambda: action(ADA), "403", "422")
        refused(lambda: action(1), "404")


@step("several relationships at once, in the order asked for")
def _():
    bob.account_follow(CLEO)
    found = bob.account_relationships([ADA, CLEO, DORA])
    same(ids(found), [ADA, CLEO, DORA], "ids")
    same([entity.following for entity in found], [False, True, False], "following")


@step("a locked account is asked, and accepts")
def _():
    with locked(ada):
        same(ada.account(ADA).locked, True, "locked")
        found = cleo.account_follow(ADA)
        same((found.following, found.requested), (False, True), "after asking")
        same(relation(ada, CLEO).requested_by, True, "requested_by")
        same(names(ada.follow_requests()), ["cleo"], "follow_requests")
        same(ada.account_verify_credentials().source.follow_requests_count, 1, "follow_requests_count")
        ada.follow_request_authorize(CLEO)
        same((relation(cleo, ADA).following, relation(cleo, ADA).requested), (True, False), "after the answer")
        same(ids(ada.follow_requests()), [], "follow_requests")


@step("a locked account is asked, and refuses")
def _():
    with locked(ada):
        dora.account_follow(ADA)
        private = ada.status_post("for followers", visibility="private")
        refused(lambda: dora.status(private), "404")
        ada.follow_request_reject(DORA)
        same((relation(dora, ADA).following, relation(dora, ADA).requested), (False, False))
        refused(lambda: ada.follow_request_authorize(DORA), "404")


@step("a request is taken back")
def _():
    with locked(ada):
        dora.account_follow(ADA)
        same(dora.account_unfollow(ADA).requested, False, "requested")
        same(ids(ada.follow_requests()), [], "follow_requests")


@step("followers see what is private, others do not")
def _():
    private = ada.status_post("only for followers", visibility="private")
    bob.account_follow(ADA)
    same(texts([bob.status(private)]), ["only for followers"])
    bob.account_unfollow(ADA)
    refused(lambda: bob.status(private), "404")


@step("block")
def _():
    bob.account_follow(ADA)
    ada.account_follow(BOB)
    status = ada.status_post("not for bob")
    with blocked(ada, BOB) as found:
        same((found.blocking, found.following, found.followed_by), (True, False, False), "after blocking")
        same((relation(bob, ADA).blocked_by, relation(bob, ADA).following), (True, False), "the blocked side")
        same(names(ada.blocks()), ["bob"], "blocks")
        refused(lambda: bob.status(status), "404")
        refused(lambda: bob.account_follow(ADA), "403", "404")
        true(str(status.id) not in ids(bob.timeline_public()), "in bob's public timeline")


@step("unblock")
def _():
    ada.account_block(BOB)
    same(ada.account_unblock(BOB).blocking, False)
    same(ids(ada.blocks()), [], "blocks")
    same(texts([bob.status(ada.status_post("for bob again"))]), ["for bob again"])


@step("the one who blocks does not see the blocked")
def _():
    status = cleo.status_post("by cleo")
    with blocked(dora, CLEO):
        true(str(status.id) not in ids(dora.timeline_public()), "in dora's public timeline")
    true(str(status.id) in ids(dora.timeline_public()), "not there after unblocking")


@step("mute and unmute")
def _():
    dora.account_follow(CLEO)
    status = cleo.status_post("too loud")
    with muted(dora, CLEO) as found:
        same((found.muting, found.muting_notifications, found.following), (True, True, True), "after muting")
        same(names(dora.mutes()), ["cleo"], "mutes")
        for timeline in (dora.timeline_home, dora.timeline_public):
            true(str(status.id) not in ids(timeline()), f"still in {timeline.__name__}")
        same(texts([dora.status(status)]), ["too loud"], "asked for by id")
        true(str(status.id) in ids(dora.account_statuses(CLEO)), "not in the account's own statuses")
        same(dora.account_unmute(CLEO).muting, False)
        true(str(status.id) in ids(dora.timeline_home()), "not in home after unmuting")


@step("mute without muting notifications")
def _():
    with muted(dora, CLEO, notifications=False) as found:
        same((found.muting, found.muting_notifications), (True, False))


@step("a mute that ends by itself")
def _():
    for duration in (2, 10, 60, 200):
        begun = time.monotonic()
        with muted(dora, CLEO, duration=duration):
            muted_by_dora = dora.mutes()
            if not muted_by_dora and time.monotonic() - begun >= duration:
                # Expired before a busy machine could check: retried with a longer duration.
                continue
            same(names(muted_by_dora), ["cleo"], "mutes")
            true(muted_by_dora[0].mute_expires_at is not None, "no mute_expires_at")
            soon(lambda: not relation(dora, CLEO).muting, "the mute is over")
            same(ids(dora.mutes()), [], "mutes")
            return
    raise AssertionError("no mute lasts long enough to be seen")


@step("boosts of the blocked and the muted are hidden too")
def _():
    theirs = cleo.status_post("boosted by bob")
    # A boost of what is at home anyway is not shown.
    dora.account_unfollow(CLEO)
    dora.account_follow(BOB)
    boost = bob.status_reblog(theirs)
    true(str(boost.id) in ids(dora.timeline_home()), "the boost is missing at first")
    with muted(dora, CLEO):
        true(str(boost.id) not in ids(dora.timeline_home()), "a boost of the muted")
    with blocked(dora, CLEO):
        true(str(boost.id) not in ids(dora.timeline_home()), "a boost of the blocked")


@step("an account is found by its name")
def _():
    same(str(bob.account_lookup("ada").id), ADA, "lookup")
    same(str(bob.account_lookup("ADA").id), ADA, "lookup in capitals")
    refused(lambda: bob.account_lookup("nobody"), "404")


@step("accounts are searched")
def _():
    same(names(bob.account_search("ad"))[:1], ["ada"], "prefix")
    same(names(bob.account_search("@ada")), ["ada"], "with @")
    found = bob.search_v2("ada", result_type="accounts")
    same((names(found.accounts), found.statuses, found.hashtags), (["ada"], [], []), "search")
    same(names(bob.account_search("no such person")), [], "nobody")


@step("statuses are searched")
def _():
    first = bob.status_post("A heron stands in the reeds")
    second = bob.status_post("Two herons, \u6771\u4eac\u90fd")
    found = bob.search_v2("heron*", result_type="statuses")
    same([s.id for s in found.statuses], [second.id, first.id], "prefix")
    same((found.accounts, found.hashtags), ([], []), "other kinds")
    for query in ("\"stands in\"", "heron -two", "reeds from:me", "from:@bob heron"):
        same([s.id for s in bob.search_v2(query).statuses], [first.id], query)
    same([s.id for s in bob.search_v2("\u4eac").statuses], [second.id], "one character")
    page = bob.search_v2("heron*", result_type="statuses", max_id=second.id)
    same([s.id for s in page.statuses], [first.id], "max_id")
    page = bob.search_v2("heron*", result_type="statuses", offset=1)
    same([s.id for s in page.statuses], [first.id], "offset")
    for indexable, expected in (("false", []), ("true", [second.id, first.id])):
        ask(bob, "PATCH", "/api/v1/accounts/update_credentials", data={"indexable": indexable})
        same([s.id for s in ada.search_v2("heron*", result_type="statuses").statuses], expected, "others")
    bob.status_delete(first)
    same(bob.search_v2("reeds").statuses, [], "deleted")
    refused(lambda: bob.search_v2("!!!", result_type="statuses"), "422")


@step("accounts are searched among those one follows")
def _():
    bob.account_unfollow(ADA)
    bob.account_follow(CLEO)
    same(names(bob.account_search("ada", following=True)), [], "not followed")
    same(names(bob.account_search("cleo", following=True)), ["cleo"], "followed")


@step("an account is found by its address")
def _():
    host = ada.api_base_url.split("//")[1]
    path = "/api/v1/accounts/lookup"
    same(str(ask(bob, "GET", path, params={"acct": "ada@" + host})["id"]), ADA)
    ask(bob, "GET", path, status=404, params={"acct": "ada@elsewhere.test"})


step.finish()
