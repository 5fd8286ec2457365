/// The path of a request as it appears in logs.
enum LoggedPath {
    private static let join = "/join/"

    /// Replaces the code of an invitation, with which anyone who reads the log could sign up.
    static func text(_ path: String) -> String {
        path.hasPrefix(join) && path.utf8.count > join.utf8.count ? join + "…" : path
    }
}
