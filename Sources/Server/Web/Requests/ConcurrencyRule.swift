import FeedAPI

/// Decides which requests count against the concurrent database reads of a client. Writes, which share transactions, files
/// and answers from memory are not counted. Requests that wait for changes count only while they read. Pure.
enum ConcurrencyRule {
    private static let exemptPaths: Set<Substring> = [
        "files", "assets", "health", "ready", "metrics", "avatars", "headers", "badges", "media",
    ]

    /// - Parameter route: The pattern of the endpoint's path, because the request's path may contain repeated slashes.
    static func applies(to request: Request, route: String?) -> Bool {
        guard request.isRead, route != Paths.changes else { return false }
        let first = request.uri.path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).first
        return first.map { !exemptPaths.contains(Substring($0)) } ?? true
    }
}
