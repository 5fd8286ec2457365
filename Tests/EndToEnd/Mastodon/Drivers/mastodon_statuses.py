"""Mastodon.py posts, replies, edits and acts on statuses. Usage: python mastodon_statuses.py http://HOST:PORT"""

from people import ask, ids, names, people, texts
from steps import Steps, refused, same, true

step = Steps()
ada, bob, cleo = people("ada", "bob", "cleo")
ADA, BOB = (str(person.account_verify_credentials().id) for person in (ada, bob))


@step("a status is posted")
def _():
    status = ada.status_post("hello <world> & all", spoiler_text="careful", sensitive=True, language="en")
    same(texts([status]), ["hello &lt;world&gt; &amp; all"], "content")
    same((status.spoiler_text, status.sensitive, status.language), ("careful", True, "en"))
    same((status.visibility, status.account.username, str(status.account.id)), ("public", "ada", ADA))
    same((status.replies_count, status.reblogs_count, status.favourites_count), (0, 0, 0), "counts")
    same(status.application.name, "feed tests", "application")


for visibility in ("public", "unlisted", "private", "direct"):

    @step(f"a {visibility} status is posted")
    def _():
        same(ada.status_post(visibility, visibility=visibility).visibility, visibility)


@step("mentions, hashtags and links are entities and links")
def _():
    status = ada.status_post("@bob see https://example.org/a?b=c#d and #Blåbær #东京")
    same([str(mention.id) for mention in status.mentions], [BOB], "mentions")
    same([tag.name.lower() for tag in status.tags], ["blåbær", "东京"], "tags")
    true('href="https://example.org/a?b=c#d"' in status.content, f"no link in {status.content}")


@step("an idempotency key makes one status of two")
def _():
    first = ada.status_post("once", idempotency_key="a key")
    same(str(ada.status_post("once", idempotency_key="a key").id), str(first.id), "id")


@step("a reply")
def _():
    first = ada.status_post("a question")
    reply = bob.status_reply(first, "an answer")
    same(str(reply.in_reply_to_id), str(first.id), "in_reply_to_id")
    same(str(reply.in_reply_to_account_id), ADA, "in_reply_to_account_id")
    true(texts([reply])[0].startswith("@ada"), f"no mention in {reply.content}")
    same(ada.status(first).replies_count, 1, "replies_count")


@step("a thread")
def _():
    root = ada.status_post("root")
    child = bob.status_post("child", in_reply_to_id=root.id)
    grandchild = cleo.status_post("grandchild", in_reply_to_id=child.id)
    other = ada.status_post("other child", in_reply_to_id=root.id)
    found = ada.status_context(child)
    same((ids(found.ancestors), ids(found.descendants)), (ids([root]), ids([grandchild])), "context of child")
    found = ada.status_context(root)
    same((ids(found.ancestors), set(ids(found.descendants))), ([], set(ids([child, grandchild, other]))))


@step("a status is edited")
def _():
    status = ada.status_post("first", spoiler_text="old")
    edited = ada.status_update(status, "second #new @bob", spoiler_text="new")
    same(str(edited.id), str(status.id), "id")
    same((texts([edited]), edited.spoiler_text), (["second #new @bob"], "new"))
    true(edited.edited_at is not None and status.edited_at is None, "edited_at")
    same([tag.name for tag in edited.tags], ["new"], "tags")
    same(names(edited.mentions), ["bob"], "mentions")
    same(texts([bob.status(status)]), ["second #new @bob"], "what another reads")


@step("the source of a status")
def _():
    status = ada.status_post("<b> & \"quotes\"\n\n@bob", spoiler_text="a < b")
    source = ada.status_source(status)
    same((str(source.id), source.text, source.spoiler_text), (str(status.id), "<b> & \"quotes\"\n\n@bob", "a < b"))


@step("the history of a status")
def _():
    status = ada.status_post("one")
    ada.status_update(status, "two")
    ada.status_update(status, "three", spoiler_text="cw")
    history = bob.status_history(status)
    same(texts(history), ["one", "two", "three"], "contents")
    same([edit.spoiler_text for edit in history], ["", "", "cw"], "warnings")
    same({edit.account.username for edit in history}, {"ada"}, "accounts")


@step("a status nobody edited has one version")
def _():
    same(texts(ada.status_history(ada.status_post("only"))), ["only"])


@step("a status is boosted and unboosted")
def _():
    status = ada.status_post("boost me")
    boost = bob.status_reblog(status)
    same((str(boost.reblog.id), boost.account.username), (str(status.id), "bob"), "wrapper")
    same((boost.reblog.reblogs_count, boost.reblog.reblogged), (1, True), "inner status")
    same(str(bob.status_reblog(status).id), str(boost.id), "boosted twice")
    same(names(ada.status_reblogged_by(status)), ["bob"], "reblogged_by")
    same(ids(bob.account_statuses(BOB, limit=1)), ids([boost]), "bob's newest")
    undone = bob.status_unreblog(status)
    same((str(undone.id), undone.reblogged), (str(status.id), False), "what unreblog returns")
    same(ada.status(status).reblogs_count, 0, "reblogs_count")
    refused(lambda: bob.status(boost), "404")


@step("a boost for followers only")
def _():
    status = ada.status_post("boost me quietly")
    same(bob.status_reblog(status, visibility="private").visibility, "private", "visibility")


@step("a direct status cannot be boosted")
def _():
    status = ada.status_post("@bob secret", visibility="direct")
    refused(lambda: bob.status_reblog(status), "404", "422", "403")


@step("a status is favourited and unfavourited")
def _():
    status = ada.status_post("like me")
    same((bob.status_favourite(status).favourited, bob.status_favourite(status).favourites_count), (True, 1))
    same(names(ada.status_favourited_by(status)), ["bob"], "favourited_by")
    same(ids(bob.favourites(limit=1)), ids([status]), "favourites")
    same(ada.status(status).favourited, False, "for another")
    same((bob.status_unfavourite(status).favourited, ada.status(status).favourites_count), (False, 0))


@step("a status is bookmarked and unbookmarked")
def _():
    status = ada.status_post("keep me")
    same(bob.status_bookmark(status).bookmarked, True)
    same(ids(bob.bookmarks(limit=1)), ids([status]), "bookmarks")
    same(ada.status(status).bookmarked, False, "for another")
    same(bob.status_unbookmark(status).bookmarked, False)
    same(ids(bob.bookmarks()), [], "bookmarks")


@step("a status is pinned and unpinned")
def _():
    status = ada.status_post("pin me")
    same(ada.status_pin(status).pinned, True)
    same(ids(bob.account_statuses(ADA, pinned=True)), ids([status]), "pinned statuses")
    same(ada.status_unpin(status).pinned, False)
    same(ids(bob.account_statuses(ADA, pinned=True)), [], "pinned statuses")


@step("only one's own public statuses are pinned")
def _():
    refused(lambda: bob.status_pin(ada.status_post("not yours")), "422", "404", "403")
    refused(lambda: ada.status_pin(ada.status_post("@bob", visibility="direct")), "422")


@step("a conversation is muted and unmuted")
def _():
    status = ada.status_post("too many answers")
    same(ada.status_mute(status).muted, True)
    same(ada.status(status).muted, True, "muted, read again")
    same(ada.status_unmute(status).muted, False)


@step("several statuses and accounts at once")
def _():
    posted = [ada.status_post("one of several"), ada.status_post("another")]
    hidden = cleo.status_post("not for ada", visibility="direct")
    wanted = ids(posted) + ids([hidden]) + ["1"]
    found = ask(ada, "GET", "/api/v1/statuses", params={"id[]": wanted})
    same(sorted(ids(found)), sorted(ids(posted)), "statuses")
    found = ask(ada, "GET", "/api/v1/accounts", params={"id[]": [ADA, BOB, "1"]})
    same(sorted(ids(found)), sorted([ADA, BOB]), "accounts")


@step("a status is deleted")
def _():
    status = ada.status_post("delete me", spoiler_text="cw")
    boost = bob.status_reblog(status)
    gone = ask(ada, "DELETE", f"/api/v1/statuses/{status.id}")
    same((gone["text"], gone["spoiler_text"]), ("delete me", "cw"), "source")
    for entity in (status, boost):
        refused(lambda: bob.status(entity), "404")
    true(str(boost.id) not in ids(bob.account_statuses(BOB)), "the boost is still there")


@step("another's status cannot be deleted or edited")
def _():
    status = ada.status_post("mine")
    refused(lambda: bob.status_delete(status), "404", "403")
    refused(lambda: bob.status_update(status, "yours"), "404", "403")
    same(texts([ada.status(status)]), ["mine"], "content")


@step("what is not for you is not there")
def _():
    status = ada.status_post("@bob only for you", visibility="direct")
    same(texts([bob.status(status)]), ["@bob only for you"], "the addressee")
    reads = (cleo.status, cleo.status_context, cleo.status_history)
    for action in reads + (cleo.status_favourite, cleo.status_bookmark):
        refused(lambda: action(status), "404")


step.finish()
