import FeedAPI
import FeedCore

/// Writes Atom (RFC 4287) with pages (RFC 5005 §3) and threads (RFC 4685).
enum AtomWriter {
    private static let namespaces: XMLWriter.Attributes = [
        "xmlns": "http://www.w3.org/2005/Atom", "xmlns:thr": "http://purl.org/syndication/thread/1.0",
    ]

    static func bytes(_ page: FeedPage) -> [UInt8] {
        var xml = XMLWriter(capacity: 1024 + 4096 * page.entries.count)
        xml.element("feed", namespaces) { xml in
            xml.text("id", page.id)
            xml.text("title", page.title, ["xml:lang": page.language])
            xml.text("subtitle", page.summary, ["xml:lang": page.language])
            xml.text("updated", ISO8601.text(milliseconds: page.updated))
            xml.link("alternate", "text/html", page.home)
            xml.link("self", FeedFormat.atom.mediaType, page.url(.atom))
            if let first = page.firstURL(.atom) { xml.link("first", FeedFormat.atom.mediaType, first) }
            if let next = page.nextURL(.atom) { xml.link("next", FeedFormat.atom.mediaType, next) }
            if let author = page.author {
                xml.author(author)
                xml.text("icon", author.picture)
            }
            xml.text("generator", "feedserver")
            for entry in page.entries { xml.entry(entry) }
        }
        return xml.bytes
    }
}

extension XMLWriter {
    fileprivate mutating func link(_ relation: String, _ type: String, _ url: String) {
        empty("link", ["rel": relation, "type": type, "href": url])
    }

    fileprivate mutating func author(_ author: FeedPage.Author) {
        element("author") {
            $0.text("name", author.name)
            $0.text("uri", author.url)
        }
    }

    fileprivate mutating func entry(_ entry: FeedItem) {
        element("entry", ["xml:lang": entry.language]) {
            $0.text("id", entry.id)
            $0.text("title", entry.title)
            $0.text("published", ISO8601.text(milliseconds: entry.published))
            $0.text("updated", ISO8601.text(milliseconds: entry.updated))
            $0.author(entry.author)
            $0.link("alternate", "text/html", entry.url)
            $0.link("replies", FeedFormat.atom.mediaType, entry.replies + ".atom")
            if let parent = entry.parent {
                $0.empty("thr:in-reply-to", ["ref": parent.id, "href": parent.url, "type": "text/html"])
            }
            for tag in entry.tags { $0.empty("category", ["term": tag]) }
            for file in entry.attachments { $0.enclosure(file) }
            $0.text("summary", entry.warning)
            $0.text("content", entry.html, ["type": "html"])
        }
    }

    private mutating func enclosure(_ file: FeedAttachment) {
        empty(
            "link",
            ["rel": "enclosure", "type": file.type, "length": String(file.size), "title": file.text, "href": file.url])
    }
}
