import FeedAPI
import FeedCore

/// Writes JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
enum JSONFeedWriter {
    static func bytes(_ page: FeedPage) -> [UInt8] {
        var json = JSONWriter(capacity: 1024 + 4096 * page.entries.count)
        json.object {
            $0.field("version", "https://jsonfeed.org/version/1.1")
            $0.field("title", page.title)
            $0.field("home_page_url", page.home)
            $0.field("feed_url", page.url(.json))
            $0.field("description", page.summary)
            if let next = page.nextURL(.json) { $0.field("next_url", next) }
            if let language = page.language { $0.field("language", language) }
            if let author = page.author {
                $0.field("icon", author.picture)
                $0.authors(author)
            }
            $0.array("items") { for entry in page.entries { $0.item(entry) } }
        }
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func authors(_ author: FeedPage.Author) {
        array("authors") {
            $0.object {
                $0.field("name", author.name)
                $0.field("url", author.url)
                $0.field("avatar", author.picture)
            }
        }
    }

    fileprivate mutating func item(_ entry: FeedItem) {
        object {
            $0.field("id", entry.id)
            $0.field("url", entry.url)
            $0.field("title", entry.title)
            $0.field("content_html", entry.html)
            if let warning = entry.warning { $0.field("summary", warning) }
            // Readers show it beside the title.
            if !entry.isSensitive, let image = entry.attachments.first(where: { $0.kind == .image }) {
                $0.field("image", image.url)
            }
            $0.field("date_published", time: entry.published)
            if let edited = entry.edited { $0.field("date_modified", time: edited) }
            $0.authors(entry.author)
            if let language = entry.language { $0.field("language", language) }
            if !entry.tags.isEmpty { $0.array("tags") { for tag in entry.tags { $0.string(tag) } } }
            if !entry.attachments.isEmpty { $0.attachments(entry.attachments) }
        }
    }

    /// Files with the same title would be versions of the same file, so a number distinguishes them.
    private mutating func attachments(_ files: [FeedAttachment]) {
        array("attachments") {
            for (index, file) in files.enumerated() {
                let isRepeated = files[..<index].contains { $0.text == file.text }
                $0.object {
                    $0.field("url", file.url)
                    $0.field("mime_type", file.type)
                    if let text = file.text { $0.field("title", isRepeated ? "\(text) (\(index + 1))" : text) }
                    $0.field("size_in_bytes", Int(file.size))
                    guard let duration = file.meta.milliseconds else { return }
                    $0.key("duration_in_seconds")
                    $0.decimal(thousandths: duration)
                }
            }
        }
    }
}
