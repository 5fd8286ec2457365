import FeedAPI
import FeedCore

/// Writes RSS 2.0. What RSS has no element for is written as readers know it from elsewhere: several files as Media
/// RSS, the author as Dublin Core, pages and edits as Atom.
enum RSSWriter {
    private static let namespaces: XMLWriter.Attributes = [
        "version": "2.0", "xmlns:atom": "http://www.w3.org/2005/Atom",
        "xmlns:content": "http://purl.org/rss/1.0/modules/content/", "xmlns:dc": "http://purl.org/dc/elements/1.1/",
        "xmlns:media": "http://search.yahoo.com/mrss/",
    ]

    static func bytes(_ page: FeedPage) -> [UInt8] {
        var xml = XMLWriter(capacity: 1024 + 4096 * page.entries.count)
        xml.element("rss", namespaces) { $0.element("channel") { $0.channel(page) } }
        return xml.bytes
    }

    /// A date as in RFC 822.
    fileprivate static func date(_ milliseconds: Int64) -> String {
        HTTPDate.text(seconds: Int64((Double(milliseconds) / 1000).rounded(.down)))
    }
}

extension XMLWriter {
    fileprivate mutating func channel(_ page: FeedPage) {
        text("title", page.title)
        text("link", page.home)
        text("description", page.summary)
        text("language", page.language)
        text("lastBuildDate", RSSWriter.date(page.updated))
        text("generator", "feedserver")
        link("self", page.url(.rss))
        if let first = page.firstURL(.rss) { link("first", first) }
        if let next = page.nextURL(.rss) { link("next", next) }
        if let author = page.author {
            element("image") {
                $0.text("url", author.picture)
                $0.text("title", page.title)
                $0.text("link", page.home)
            }
        }
        for entry in page.entries { item(entry) }
    }

    private mutating func link(_ relation: String, _ url: String) {
        empty("atom:link", ["rel": relation, "type": FeedFormat.rss.mediaType, "href": url])
    }

    private mutating func item(_ entry: FeedItem) {
        element("item") {
            $0.text("title", entry.title)
            $0.text("link", entry.url)
            $0.text("guid", entry.id, ["isPermaLink": "false"])
            $0.text("pubDate", RSSWriter.date(entry.published))
            if let edited = entry.edited { $0.text("atom:updated", ISO8601.text(milliseconds: edited)) }
            $0.text("dc:creator", entry.author.name)
            $0.text("dc:language", entry.language)
            for tag in entry.tags { $0.text("category", tag) }
            // A reader that knows no other element shows the description, so a warning takes its place.
            $0.text("description", entry.warning?.escapedHTML ?? entry.html)
            if entry.warning != nil { $0.text("content:encoded", entry.html) }
            // Only one is allowed.
            if let file = entry.attachments.first {
                $0.empty("enclosure", ["url": file.url, "length": String(file.size), "type": file.type])
            }
            for file in entry.attachments { $0.media(file, isSensitive: entry.isSensitive) }
        }
    }

    private mutating func media(_ file: FeedAttachment, isSensitive: Bool) {
        let duration = file.meta.milliseconds.map { String($0 / 1000) }
        element(
            "media:content",
            [
                "url": file.url, "type": file.type, "fileSize": String(file.size), "medium": file.medium,
                "width": file.meta.width.map(String.init), "height": file.meta.height.map(String.init),
                "duration": duration,
            ]
        ) {
            $0.text("media:rating", isSensitive ? "adult" : "nonadult", ["scheme": "urn:simple"])
            $0.text("media:description", file.text, ["type": "plain"])
        }
    }
}

extension FeedAttachment {
    fileprivate var medium: String? {
        switch kind {
        case .image: "image"
        case .video, .gifv: "video"
        case .audio: "audio"
        case .unknown: nil
        }
    }
}
