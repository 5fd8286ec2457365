import Foundation

/// Where a redirect leads.
enum Redirect {
    /// More hops than any honest server needs.
    static let maximum = 10
    static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// - Throws: ``FeedClientError`` when it leads nowhere, out of the web, or from https to http.
    static func target(_ location: String?, from url: String) throws(FeedClientError) -> String {
        guard let location, let base = URL(string: url), let next = URL(string: location, relativeTo: base),
            let scheme = next.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = next.host(), !host.isEmpty, next.hasValidPort
        else {
            throw FeedClientError(.failed, "The server points to nowhere", hint: "Check the address.")
        }
        guard scheme == "https" || base.scheme?.lowercased() == "http" else {
            throw FeedClientError(
                .unauthorized, "The server points from https to http",
                hint: "What comes that way could be anybody's; use its http address if you want it.")
        }
        return next.absoluteString
    }
}
