import FeedAPI
import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// The rules of the specifications that the validator of the W3C checks, for a feed with everything that a feed can
/// contain.
@Suite(.hangLimit)
struct FeedRuleTests {
    /// A rule for the root element of a document.
    struct Rule: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isMet: @Sendable (XMLNode) -> Bool

        init(_ text: String, _ isMet: @escaping @Sendable (XMLNode) -> Bool) {
            (testDescription, self.isMet) = (text, isMet)
        }
    }

    /// A page in the middle of the feed of an account, with four entries.
    static let page: FeedPage = {
        let ids = FeedIdentifier(namespace: UUID())
        let ada = Account(id: 1, username: "ada", displayName: "Ada <3", note: "Notes & more", createdAt: 500)
        let statuses = (1...4).map { number in
            var status = Status(
                id: Int64(number), account: ada, createdAt: Int64(number) * 86_400_000, text: "post \(number)",
                content: "<p>post \(number) <a href=\"~/tags/x\">#x</a></p>", tags: ["x", "X", "Österreich"])
            status.language = "de"
            if number > 1 { status.inReplyToID = 1 }
            return status
        }
        var (files, warned, poll) = (statuses[1], statuses[2], statuses[3])
        files.media = [
            MediaAttachment(
                id: 1, kind: .image, format: .png, path: "/media/k/a.png", description: "A boat",
                meta: MediaMeta(width: 4, height: 3), size: 1234),
            MediaAttachment(
                id: 2, kind: .video, format: .mp4, path: "/media/l/b.mp4", description: "A boat",
                meta: MediaMeta(milliseconds: 61_500), size: 99),
        ]
        files.editedAt = files.createdAt + 3_600_000
        (warned.spoilerText, warned.sensitive, warned.media) = ("food", true, files.media)
        poll.poll = Poll(
            id: 4, options: [.init(title: "Tea", votesCount: 3), .init(title: "<Coffee>", votesCount: 1)],
            expiresAt: 5 * 86_400_000, votersCount: 4)
        let author = FeedPage.Author(ada, base: "https://feed.test")
        var page = FeedPage(
            id: ids.account(1), title: "Ada", summary: "Notes & more", language: "en", home: "https://feed.test/@ada",
            address: "https://feed.test/@ada/feed", maxID: 9, nextMaxID: 1, author: author, updated: 0)
        page.entries = [poll, warned, files, statuses[0]].map {
            FeedItem($0, ids, EmojiSet(), base: "https://feed.test")
        }
        page.updated = page.entries.map(\.updated).max() ?? 0
        return page
    }()

    private static func isAbsolute(_ url: String?) -> Bool {
        url.flatMap { URL(string: $0) }.map { $0.scheme == "https" && $0.host() == "feed.test" } ?? false
    }

    private static func isURN(_ id: String?) -> Bool { id?.contains(/^urn:uuid:[0-9a-f-]{36}$/) ?? false }

    private static func areDistinct(_ texts: [String?]) -> Bool {
        !texts.contains(nil) && Set(texts).count == texts.count
    }

    /// Addresses in HTML, and what a reader would have to remove from it.
    private static func isPortable(_ html: String?) -> Bool {
        guard let html else { return false }
        let addresses = html.matches(of: /(?:href|src)="([^"]*)"/).map { String($0.1) }
        return addresses.allSatisfy { isAbsolute($0) } && !html.contains("<script") && !html.contains("style=")
    }

    static let atom: [Rule] = [
        Rule("the root is a feed") { $0.name == "feed" && $0.attributes["xmlns"] == "http://www.w3.org/2005/Atom" },
        Rule("exactly one id, title and updated (RFC 4287 §4.1.1)") { feed in
            ["id", "title", "updated"].allSatisfy { feed.all($0).count == 1 }
        },
        Rule("ids are URNs, and distinct") { feed in
            let ids = [feed.text(of: "id")] + feed.all("entry").map { $0.text(of: "id") }
            return ids.allSatisfy(isURN) && areDistinct(ids)
        },
        Rule("entries have one id, title, updated, published, author and content (§4.1.2)") { feed in
            feed.all("entry").allSatisfy { entry in
                ["id", "title", "updated", "published", "author", "content"].allSatisfy { entry.all($0).count == 1 }
            }
        },
        Rule("dates conform to RFC 3339, and updated is not before published") { feed in
            feed.all("entry").allSatisfy { entry in
                guard let published = entry.text(of: "published").flatMap({ ISO8601.milliseconds($0) }),
                    let updated = entry.text(of: "updated").flatMap({ ISO8601.milliseconds($0) })
                else { return false }
                return updated >= published
            }
        },
        Rule("the feed is as new as its newest entry") { feed in
            let times = feed.all("entry").compactMap { $0.text(of: "updated") }
            return feed.text(of: "updated") == times.max()
        },
        Rule("links are absolute") { feed in
            (feed.all("link") + feed.all("entry").flatMap { $0.all("link") }).allSatisfy {
                isAbsolute($0.attributes["href"])
            }
        },
        Rule("at most one alternate of a type, one self, first and next (RFC 5005 §3)") { feed in
            areDistinct(feed.all("link").map { $0.attributes["rel"] })
                && feed.link("self") == "https://feed.test/@ada/feed.atom?max_id=9"
                && feed.link("first") == "https://feed.test/@ada/feed.atom"
                && feed.link("next") == "https://feed.test/@ada/feed.atom?max_id=1"
                && feed.link("alternate") == "https://feed.test/@ada"
        },
        Rule("every author has a name and an address") { feed in
            (feed.all("author") + feed.all("entry").flatMap { $0.all("author") }).allSatisfy {
                $0.text(of: "name") == "Ada <3" && isAbsolute($0.text(of: "uri"))
            }
        },
        Rule("titles are plain text") { feed in
            feed.all("entry").allSatisfy { $0["title"]?.attributes["type"] ?? "text" == "text" }
        },
        Rule("content is HTML with absolute addresses") { feed in
            feed.all("entry").allSatisfy {
                $0["content"]?.attributes["type"] == "html" && isPortable($0.text(of: "content"))
            }
        },
        Rule("categories have distinct terms") { feed in
            feed.all("entry").allSatisfy { $0.all("category").map { $0.attributes["term"] } == ["x", "Österreich"] }
        },
        Rule("enclosures have a type, a length and a title") { feed in
            let files = feed.all("entry")[2].all("link").filter { $0.attributes["rel"] == "enclosure" }
            return files.map { $0.attributes["length"] } == ["1234", "99"]
                && files.map { $0.attributes["type"] } == ["image/png", "video/mp4"]
                && files.allSatisfy { $0.attributes["title"] == "A boat" }
        },
        Rule("entries have a language") { feed in
            feed.all("entry").allSatisfy { $0.attributes["xml:lang"] == "de" }
        },
        Rule("replies refer to the id of their parent (RFC 4685 §3)") { feed in
            let parent = feed.all("entry").last?.text(of: "id")
            return feed.all("entry").dropLast().allSatisfy { $0["thr:in-reply-to"]?.attributes["ref"] == parent }
        },
        Rule("a warning is the summary and the title") { feed in
            let entry = feed.all("entry")[1]
            return entry.text(of: "summary") == "Content warning: food"
                && entry.text(of: "title") == "Content warning: food"
                && entry.text(of: "content")?.hasPrefix("<details><summary>Content warning: food</summary>") ?? false
        },
    ]

    static let rss: [Rule] = [
        Rule("the root is RSS 2.0 with one channel") {
            $0.name == "rss" && $0.attributes["version"] == "2.0" && $0.all("channel").count == 1
        },
        Rule("the channel has one title, link, description and language") { rss in
            ["title", "link", "description", "language"].allSatisfy { rss["channel"]?.all($0).count == 1 }
        },
        Rule("the channel names its own address and its pages") { rss in
            rss["channel"]?.link("self") == "https://feed.test/@ada/feed.rss?max_id=9"
                && rss["channel"]?.link("next") == "https://feed.test/@ada/feed.rss?max_id=1"
                && rss["channel"]?.link("first") == "https://feed.test/@ada/feed.rss"
        },
        Rule("the image has an address, and the title and link of the channel") { rss in
            guard let channel = rss["channel"], let image = channel["image"] else { return false }
            return isAbsolute(image.text(of: "url")) && image.text(of: "title") == channel.text(of: "title")
                && image.text(of: "link") == channel.text(of: "link")
        },
        Rule("guids are distinct, and no addresses") { rss in
            let guids = rss["channel"]?.all("item").compactMap { $0["guid"] } ?? []
            return guids.count == 4 && areDistinct(guids.map(\.text)) && guids.allSatisfy { isURN($0.text) }
                && guids.allSatisfy { $0.attributes["isPermaLink"] == "false" }
        },
        Rule("dates conform to RFC 822") { rss in
            let dates = rss["channel"]?.all("item").map { $0.text(of: "pubDate") } ?? []
            return rss["channel"]?.text(of: "lastBuildDate") == "Mon, 05 Jan 1970 00:00:00 GMT"
                && dates.allSatisfy { $0?.contains(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/) ?? false }
        },
        Rule("items have a title, a link and a description, each once") { rss in
            rss["channel"]?.all("item").allSatisfy { item in
                ["title", "link", "description", "dc:creator"].allSatisfy { item.all($0).count == 1 }
            } ?? false
        },
        Rule("descriptions have absolute addresses") { rss in
            rss["channel"]?.all("item").allSatisfy { isPortable($0.text(of: "description")) } ?? false
        },
        Rule("at most one enclosure, with address, length and type") { rss in
            rss["channel"]?.all("item").allSatisfy { item in
                item.all("enclosure").count <= 1
                    && item.all("enclosure").allSatisfy { Set($0.attributes.keys) == ["url", "length", "type"] }
            } ?? false
        },
        Rule("every file as Media RSS, with its text") { rss in
            let files = rss["channel"]?.all("item")[2].all("media:content") ?? []
            return files.map { $0.attributes["fileSize"] } == ["1234", "99"]
                && files.map { $0.attributes["medium"] } == ["image", "video"]
                && files.map { $0.attributes["duration"] } == [nil, "61"] && files[0].attributes["width"] == "4"
                && files.allSatisfy { $0.text(of: "media:description") == "A boat" }
        },
        Rule("sensitive files are rated, and behind the warning") { rss in
            guard let item = rss["channel"]?.all("item")[1] else { return false }
            return item.all("media:content").allSatisfy { $0.text(of: "media:rating") == "adult" }
                && item.text(of: "description") == "Content warning: food"
                && item.text(of: "content:encoded")?.contains("post 3") ?? false
        },
    ]

    @Test(arguments: atom) func atomFollows(rule: Rule) throws {
        #expect(rule.isMet(try XMLNode.parse(Data(Self.page.bytes(.atom)))))
    }

    @Test(arguments: rss) func rssFollows(rule: Rule) throws {
        #expect(rule.isMet(try XMLNode.parse(Data(Self.page.bytes(.rss)))))
    }

    @Test func jsonFeedIsComplete() throws {
        let feed = try JSONDecoder().decode(JSONValue.self, from: Data(Self.page.bytes(.json)))
        #expect(feed["version"]?.text == "https://jsonfeed.org/version/1.1")
        #expect(feed["feed_url"]?.text == "https://feed.test/@ada/feed.json?max_id=9")
        #expect(feed["next_url"]?.text == "https://feed.test/@ada/feed.json?max_id=1")
        #expect(feed["home_page_url"]?.text == "https://feed.test/@ada" && feed["language"]?.text == "en")
        let items = try #require(feed["items"]?.list)
        #expect(items.ids == Self.page.entries.map(\.id) && Self.areDistinct(items.ids))
        for item in items {
            #expect(Self.isPortable(item["content_html"]?.text) && Self.isAbsolute(item["url"]?.text))
            #expect(item["authors"]?[0]?["name"]?.text == "Ada <3" && item["language"]?.text == "de")
            #expect(item["tags"]?.list == [.text("x"), .text("Österreich")])
        }
        #expect(items[2]["date_modified"]?.text == "1970-01-03T01:00:00.000Z" && items[3]["date_modified"] == nil)
        #expect(items[1]["summary"]?.text == "Content warning: food" && items[2]["summary"] == nil)
        #expect(items[1]["image"] == nil && items[2]["image"]?.text == "https://feed.test/media/k/a.png")
        let files = try #require(items[2]["attachments"]?.list)
        // Files with the same title would be versions of one file.
        #expect(files.map { $0["title"]?.text } == ["A boat", "A boat (2)"])
        #expect(files.map { $0["size_in_bytes"]?.number } == [1234, 99])
        #expect(files.map { $0["mime_type"]?.text } == ["image/png", "video/mp4"])
        #expect(files[1]["duration_in_seconds"]?.number == 61.5)
    }

    @Test func pollsAreText() {
        let html = Self.page.entries[0].html
        for part in ["<li>Tea: 75 %, 3 votes</li>", "<li>&lt;Coffee&gt;: 25 %, 1 vote</li>", "Open until 6 Jan 1970"] {
            #expect(html.contains(part), "\(part): \(html)")
        }
    }
}

extension [JSONValue] {
    fileprivate var ids: [String] { compactMap { $0["id"]?.text } }
}
