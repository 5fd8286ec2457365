import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

@testable import feedclient

/// A timeline and a thread, rendered.
enum GoldenOutput {
    private static let now: Int64 = 1_700_000_000_000

    private static func time(_ secondsAgo: Int64) -> String { ISO8601.text(milliseconds: now - secondsAgo * 1000) }

    private static func status(
        _ id: String, _ name: String, _ acct: String, _ content: String, replyTo parent: String? = nil,
        more: (inout Entity.Status) -> Void = { _ in }
    ) -> Entity.Status {
        let account = Entity.Account(
            id: acct, username: String(acct.prefix { $0 != "@" }), acct: acct, display_name: name, avatar: nil)
        var status = Entity.Status(
            id: id, created_at: time(7500), account: account, content: content, visibility: "public", spoiler_text: "",
            application: nil, mentions: [], tags: [])
        status.in_reply_to_id = parent
        more(&status)
        return status
    }

    /// A status with everything that can be attached to one.
    private static let full = status(
        "01HX3Z6QTRKJ8M2V5W7Y9ABCDE", "Ada Lovelace", "ada.lovelace@a.rather.long.instance.example",
        """
        <p>Hi <a href="https://b.test/@bob" class="u-url mention">@<span>bob</span></a> :blobcat:, see \
        <a href="https://c.test/page">the page</a>.</p><ol><li>first</li><li>second, which is long enough to wrap</li></ol>\
        <blockquote><p>「引用」は、このように表示されます。よろしいですか？</p></blockquote>
        """
    ) {
        $0.edited_at = time(600)
        $0.visibility = "unlisted"
        $0.application = Entity.Application(name: "Tusky", website: nil)
        ($0.replies_count, $0.reblogs_count, $0.favourites_count) = (2, 3, 4)
        var media = Entity.MediaAttachment(id: "1", type: "image")
        (media.url, media.description) = ("https://a.test/media/1.jpg", "A red boat at sea")
        $0.media_attachments = [media]
        var poll = Entity.Poll(
            id: "1",
            options: [
                Entity.Poll.Option(title: "yes", votes_count: 3), Entity.Poll.Option(title: "no", votes_count: 1),
            ])
        (poll.votes_count, poll.expired) = (4, true)
        $0.poll = poll
        let quoted = status("77", "Eve", "eve", "<p>quoted words</p>")
        $0.quote = Entity.Quote(state: "accepted", quoted_status: quoted)
        $0.card = Entity.PreviewCard(url: "https://c.test/page", title: "The page")
    }

    private static let boosts = ["Bob", "Eve"].enumerated().map { index, name in
        status("90\(index)", name, name.lowercased(), "") { $0.reblog = Entity.Indirect(full) }
    }

    private static let folded = status("78", "Grace", "grace", "<p>the ending</p>") { $0.spoiler_text = "Spoilers" }

    static func timeline(_ columns: Int, _ style: TextStyle = TextStyle(hasColor: false)) -> String {
        let renderer = StatusRenderer(columns: columns, style: style, now: columns == .max ? nil : now)
        return BoostedStatus.merged(boosts + [full, folded]).flatMap(renderer.lines).joined(separator: "\n")
    }

    static func thread(_ columns: Int, _ style: TextStyle = TextStyle(hasColor: false)) -> String {
        func entry(_ status: Entity.Status) -> TimelineEntry { TimelineEntry(status: status, json: []) }
        let thread = StatusThread(
            ancestors: [entry(status("1", "Ada", "ada", "<p>the start</p>"))],
            status: entry(status("2", "Bob", "bob", "<p>secret words</p>", replyTo: "1") { $0.spoiler_text = "cw" }),
            descendants: [
                entry(status("3", "Eve", "eve", "<p>an answer that is long enough to wrap</p>", replyTo: "2")),
                entry(status("4", "Ada", "ada", "<p>and one to that</p>", replyTo: "3")),
                entry(status("5", "Ada", "ada", "<p>hidden words</p>", replyTo: "2") { $0.spoiler_text = "cw" }),
            ])
        return ThreadRenderer(renderer: StatusRenderer(columns: columns, style: style, now: now)).lines(thread)
            .joined(separator: "\n")
    }
}
