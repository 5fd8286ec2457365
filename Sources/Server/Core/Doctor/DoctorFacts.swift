/// The facts about the data folder, the configuration and the machine that `feedserver doctor` checks.
package struct DoctorFacts: Sendable {
    package enum Folder: Sendable {
        case missing, notAFolder
        /// - Parameters:
        ///   - isOwn: Whether it belongs to this user.
        ///   - mode: The permissions.
        case present(isOwn: Bool, isWritable: Bool, mode: Int)
    }

    /// A file of the TLS configuration.
    package enum File: Sendable {
        case missing, unreadable
        case present(mode: Int)
    }

    package enum Database: Sendable {
        case missing
        case unusable(FeedError)
        case usable(DatabaseFacts)
    }

    package var path = ""
    package var folder = Folder.missing
    /// Bytes available to this user; `nil` if unknown.
    package var freeBytes: Int64?
    /// The number of files that can be created; `nil` if unknown or unlimited.
    package var freeFiles: Int64?
    /// Milliseconds since 1970.
    package var now: Int64 = 0
    /// The limit on open file descriptors that the server can reach.
    package var openFiles = 0
    /// `nil` without TLS, as `key`; both are set or neither.
    package var certificate: File?
    package var key: File?
    /// The address on which the server listens.
    package var host = "127.0.0.1"
    package var listensOnLoopback = true
    package var baseURL: String?
    package var hasTrustedProxies = false
    package var usesPostgres = false
    package var hasLibPQ = true
    package var database = Database.missing
    /// The process that serves the folder.
    package var server: Int32?

    package init() {}
}

/// The facts about a database that can be opened.
package struct DatabaseFacts: Sendable, Equatable {
    /// The engine with its version.
    package var engine: String
    /// Whether the next server will migrate the schema.
    package var isMigrationDue: Bool
    /// The first damage that a check found; `nil` without damage.
    package var damage: String?
    /// The time of the newest id, in milliseconds since 1970; 0 in an empty feed.
    package var newest: Int64

    package init(engine: String, isMigrationDue: Bool, damage: String?, newest: Int64) {
        self.engine = engine
        self.isMigrationDue = isMigrationDue
        self.damage = damage
        self.newest = newest
    }
}
