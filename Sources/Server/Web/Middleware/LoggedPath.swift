/// The path of a request as it appears in logs.
enum LoggedPath {
    /// Replaces the code of an invitation, with which anyone who reads the log could sign up.
    static func text(_ path: String) -> String {
        let parts = path.split(separator: "/", maxSplits: 1)
        return parts.count == 2 && parts[0] == "join" ? "/join/…" : path
    }
}
