"""Mastodon.py posts pictures, and changes avatar and header. Usage: python mastodon_media.py http://HOST:PORT"""

import requests
from people import people
from pictures import png
from steps import Steps, same, true

step = Steps()
ada, bob = people("ada", "bob")
ME = ada.account_verify_credentials().id


def upload(red, **options):
    # On a busy machine, a picture may take longer than the second for which the server waits.
    return ada.media_post(png(red), mime_type="image/png", synchronous=True, **options)


@step("two pictures with descriptions and a focus")
def _():
    one = upload(1, description="the first", focus=(0.5, -0.5))
    two = upload(2, description="the second")
    same((one.type, one.meta.original.width, one.meta.original.height), ("image", 64, 36))
    same((one.meta.focus.x, one.meta.focus.y), (0.5, -0.5), "focus")
    status = ada.status_post("pictures", media_ids=[one, two], sensitive=True)
    same([media.description for media in status.media_attachments], ["the first", "the second"])
    true(status.sensitive, "sensitive")
    seen = bob.status(status).media_attachments
    same([media.id for media in seen], [one.id, two.id], "for others")
    response = requests.get(seen[0].url, timeout=300)
    same((response.status_code, response.headers["Content-Type"]), (200, "image/png"))
    true("immutable" in response.headers["Cache-Control"], "immutable")


@step("only_media")
def _():
    ada.status_post("no picture")
    for found in (bob.timeline_public(only_media=True), bob.account_statuses(ME, only_media=True)):
        same([status.content for status in found], ["<p>pictures</p>"])


@step("a description is changed, a picture is deleted from an edit")
def _():
    media = upload(3)
    same(ada.media_update(media, description="later").description, "later")
    status = ada.status_post("draft", media_ids=[media])
    same(ada.status_update(status, "draft without").media_attachments, [])


@step("avatar and header")
def _():
    found = ada.account_update_credentials(
        avatar=png(4, 32, 32), avatar_mime_type="image/png", header=png(5, 90, 30), header_mime_type="image/png")
    for url in (found.avatar, found.header):
        response = requests.get(url, timeout=300)
        same((response.status_code, response.headers["Content-Type"]), (200, "image/png"), url)


step.finish()
