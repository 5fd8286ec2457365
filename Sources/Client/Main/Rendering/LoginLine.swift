import FeedClientKit

/// Describes a login of this machine, without its secrets. Pure.
enum LoginLine {
    private struct Login: Encodable {
        var server: String
        var username: String
        /// Whether commands use this login; `nil` leaves the member out.
        var current: Bool?
        var classic: Bool
    }

    /// The login as a JSON object.
    static func json(_ login: CredentialStore.Login, isCurrent: Bool? = nil) throws -> String {
        try EntityJSON.line(
            Login(server: login.server, username: login.username, current: isCurrent, classic: login.isClassic))
    }
}
