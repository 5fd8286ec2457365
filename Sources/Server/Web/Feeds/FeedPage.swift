/// A page of a feed for feed readers, whatever its format. Addresses are absolute, times are milliseconds since 1970,
/// and texts are plain unless their name says HTML.
struct FeedPage: Sendable, Equatable {
    struct Author: Sendable, Equatable {
        var name: String
        var url: String
        var picture: String
    }

    /// The maximum number of entries.
    static let limit = 40

    /// A URN, which the address of the server does not change.
    var id: String
    var title: String
    var summary: String
    var language: String?
    /// The address of the web page with the same content.
    var home: String
    /// The address of the feed without the extension of its format.
    var address: String
    /// The upper bound of this page; `nil` for the first page.
    var maxID: Int64?
    /// The upper bound of the page with older entries; `nil` on the last page.
    var nextMaxID: Int64?
    /// The author of all entries.
    var author: Author?
    /// Whether search engines are asked to ignore the feed.
    var isNoindex = false
    /// The time of the last change of an entry; without entries, a time that never changes.
    var updated: Int64
    var entries: [FeedEntry] = []

    /// The address of this page.
    func url(_ format: FeedFormat) -> String { url(format, below: maxID) }

    /// The address of the page with older entries.
    func nextURL(_ format: FeedFormat) -> String? { nextMaxID.map { url(format, below: $0) } }

    /// The address of the first page, from any other page.
    func firstURL(_ format: FeedFormat) -> String? { maxID.map { _ in url(format, below: nil) } }

    private func url(_ format: FeedFormat, below id: Int64?) -> String {
        address + "." + format.rawValue + (id.map { "?max_id=\($0)" } ?? "")
    }

    /// The page in UTF-8.
    func bytes(_ format: FeedFormat) -> [UInt8] {
        switch format {
        case .json: JSONFeed.bytes(self)
        case .atom: AtomFeed.bytes(self)
        case .rss: RSSFeed.bytes(self)
        }
    }
}

/// The formats of feeds. The raw values are the extensions of their addresses.
enum FeedFormat: String, Sendable, CaseIterable {
    case json, atom, rss

    var mediaType: String {
        switch self {
        case .json: "application/feed+json"
        case .atom: "application/atom+xml"
        case .rss: "application/rss+xml"
        }
    }
}
