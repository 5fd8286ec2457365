"""Mastodon.py reads timelines with their filters. Usage: python mastodon_timelines.py http://HOST:PORT"""

from people import ask, client, ids, people, texts
from steps import Steps, same, true

step = Steps()
ada, bob, cleo = people("ada", "bob", "cleo")
ADA = str(ada.account_verify_credentials().id)


@step("home holds who is followed, and their boosts")
def _():
    theirs = cleo.status_post("cleo's, boosted")
    bob.account_follow(ADA)
    status = ada.status_post("ada's")
    boost = ada.status_reblog(theirs)
    same(ids(bob.timeline_home(limit=2)), ids([boost, status]))
    same(str(bob.timeline_home(limit=1)[0].reblog.id), str(theirs.id), "boosted status")


@step("boosts of someone are hidden from home when asked")
def _():
    theirs = cleo.status_post("cleo's, boosted unseen")
    bob.account_follow(ADA, reblogs=False)
    boost = ada.status_reblog(theirs)
    true(str(boost.id) not in ids(bob.timeline_home()), "the boost is in home")
    bob.account_follow(ADA, reblogs=True)


@step("home leaves out replies to accounts that are not followed")
def _():
    theirs = cleo.status_post("cleo asks")
    bob.account_follow(ADA)
    reply = ada.status_post("ada answers cleo", in_reply_to_id=theirs.id)
    own = ada.status_post("ada goes on", in_reply_to_id=ada.status_post("ada begins").id)
    found = ids(bob.timeline_home())
    true(str(own.id) in found, "a reply to oneself is missing")
    true(str(reply.id) not in found, "the reply to a stranger is there")


@step("the public timeline holds public statuses and no boosts")
def _():
    public = ada.status_post("public one")
    unlisted = ada.status_post("unlisted one", visibility="unlisted")
    boost = bob.status_reblog(public)
    for reader in (bob, client()):
        found = ids(reader.timeline_public())
        true(str(public.id) in found, "the public status is missing")
        true(str(unlisted.id) not in found and str(boost.id) not in found, "too much")
    same(ids(bob.timeline_local(limit=1)), ids([public]), "local")


@step("nothing here is remote, and nothing here has media")
def _():
    same(ids(bob.timeline_public(remote=True)), [], "remote")
    same(ids(bob.timeline_public(only_media=True)), [], "only_media")


@step("a hashtag in any letter case")
def _():
    status = ada.status_post("about #CamelCase")
    same(ids(bob.timeline_hashtag("camelcase")), ids([status]))
    same(ids(client().timeline_hashtag("CAMELCASE")), ids([status]))


@step("a hashtag in any script")
def _():
    status = ada.status_post("über #Größe und #東京")
    same(ids(bob.timeline_hashtag("größe")), ids([status]))
    same(ids(bob.timeline_hashtag("東京")), ids([status]))


@step("a hashtag timeline leaves out what is not public")
def _():
    for visibility in ("unlisted", "private", "direct"):
        ada.status_post("#quiet @bob", visibility=visibility)
    same(ids(client().timeline_hashtag("quiet")), [])


@step("any, all, none of further hashtags")
def _():
    one, two, both, three = (ada.status_post(text) for text in ("#aa", "#aa #bb", "#aa #bb #cc", "#dd"))
    path = "/api/v1/timelines/tag/aa"
    same(ids(ask(bob, "GET", path, params={"any[]": ["dd"]})), ids([three, both, two, one]), "any")
    same(ids(ask(bob, "GET", path, params={"all[]": ["bb"]})), ids([both, two]), "all")
    same(ids(ask(bob, "GET", path, params={"all[]": ["bb", "CC"]})), ids([both]), "all of two")
    same(ids(ask(bob, "GET", path, params={"none[]": ["cc"]})), ids([two, one]), "none")
    same(ids(ask(bob, "GET", path, params={"any[]": ["dd"], "none[]": ["bb"]})), ids([three, one]), "any and none")


@step("the filters of an account's statuses")
def _():
    me = str(cleo.account_verify_credentials().id)
    plain = cleo.status_post("plain #filter")
    to_self = cleo.status_post("to myself", in_reply_to_id=plain.id)
    to_ada = cleo.status_post("to ada", in_reply_to_id=ada.status_post("hi").id)
    boost = cleo.status_reblog(ada.status_post("boosted"))
    same(ids(bob.account_statuses(me, limit=4)), ids([boost, to_ada, to_self, plain]), "all")
    found = ids(bob.account_statuses(me, exclude_replies=True, limit=3))
    true(ids([to_ada])[0] not in found and ids([boost, to_self, plain]) == found, f"exclude_replies: {found}")
    same(ids(bob.account_statuses(me, exclude_reblogs=True, limit=3)), ids([to_ada, to_self, plain]), "no boosts")
    same(ids(bob.account_statuses(me, tagged="FILTER")), ids([plain]), "tagged")
    same(ids(bob.account_statuses(me, only_media=True)), [], "only_media")


@step("an account's statuses by visibility")
def _():
    for visibility in ("public", "unlisted", "private", "direct"):
        bob.status_post(f"@cleo {visibility}", visibility=visibility)
    me = str(bob.account_verify_credentials().id)
    found = [text.split()[-1] for text in texts(bob.account_statuses(me, limit=4))]
    same(found, ["direct", "private", "unlisted", "public"], "oneself")
    same(texts(client().account_statuses(me, limit=4))[:2], ["@cleo unlisted", "@cleo public"], "a stranger")


@step("what there is nothing of is an empty list")
def _():
    for path in ("lists", "scheduled_statuses", "custom_emojis", "filters", "announcements", "timelines/link"):
        same(ask(ada, "GET", "/api/v1/" + path), [], path)
    for path in ("followed_tags", "featured_tags", "favourites", "bookmarks", "mutes", "blocks", "follow_requests"):
        same(ask(ada, "GET", "/api/v1/" + path), [], path)


step.finish()
