import Foundation

/// Resolves redirects.
enum Redirect {
    /// The maximum number of redirects that are followed.
    static let maximum = 10
    static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// The absolute URL of a `Location` field.
    /// - Throws: ``FeedClientError`` for anything but an http or https URL, and for a redirect from https to http.
    static func target(_ location: String?, from url: String) throws(FeedClientError) -> String {
        guard let location, let base = URL(string: url), let next = URL(string: location, relativeTo: base),
            let scheme = next.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = next.host(), !host.isEmpty, next.hasValidPort
        else {
            throw FeedClientError(.failed, "The server redirected to an invalid address", hint: "Check the address.")
        }
        guard scheme == "https" || base.scheme?.lowercased() == "http" else {
            throw FeedClientError(
                .unauthorized, "The server redirected from https to http",
                hint: "An http response could come from anyone. To accept that, use the http address yourself.")
        }
        return next.absoluteString
    }
}
