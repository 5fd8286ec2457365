import FeedAPI
import Foundation

/// The positions at which pages begin (`max_id`). Stops reading when a server links to the same page again, or to a
/// newer one; otherwise, the pages might never end.
struct PageCursors {
    private var seen: Set<String> = []
    private var oldest: StatusKey?

    /// - Parameter first: Where the first page begins, if not with the newest entry.
    init(_ first: String? = nil) {
        if let first { _ = advance(to: first) }
    }

    /// - Returns: Whether the page that begins at `cursor` is older than those before.
    mutating func advance(to cursor: String) -> Bool {
        guard seen.insert(cursor).inserted else { return false }
        guard let key = StatusKey(cursor) else { return true }
        defer { oldest = key }
        return oldest.map { key < $0 } ?? true
    }
}

extension LinkHeader {
    /// The value of `max_id` in the URL of the next page.
    var nextMaxID: String? { next.flatMap { Self.queryItem("max_id", of: $0) } }

    /// The value of `min_id` in the URL of the previous page.
    var previousMinID: String? { previous.flatMap { Self.queryItem("min_id", of: $0) } }

    private static func queryItem(_ name: String, of url: String) -> String? {
        URLComponents(string: url)?.queryItems?.first { $0.name == name }?.value
    }
}
