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

    /// A certificate and its key, as the server would load them.
    package enum CertificatePair: Sendable {
        case unusable(FeedError)
        /// - Parameter expires: The end of the validity, in milliseconds since 1970.
        case usable(expires: Int64)
    }

    /// The TCP address of the server, a URL.
    package enum Address: Sendable {
        case free(String)
        /// The server of the folder listens there.
        case served(String)
        case unusable(FeedError)
    }

    package enum Database: Sendable {
        case missing
        case unusable(FeedError)
        case usable(DatabaseFacts)
    }

    package var path = ""
    package var folder = Folder.missing
    /// The user to whom the data folder belongs; `nil` if this user cannot read it.
    package var owner: String?
    /// `nil` if the owner of the data folder may use everything in it.
    package var unusable: UnusableEntries?
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
    /// `nil` without TLS.
    package var certificatePair: CertificatePair?
    /// The address on which the server listens.
    package var host = "127.0.0.1"
    package var listensOnLoopback = true
    /// `nil` if the server takes any free port, or listens on a Unix socket only.
    package var address: Address?
    package var baseURL: String?
    package var unknownVariables: [UnknownVariable] = []
    package var hasTrustedProxies = false
    /// The image formats that cannot be decoded, each with the package that is missing.
    package var missingImageFormats: [String] = []
    /// The name of the account that visitors may contact.
    package var contact: String?
    package var usesPostgres = false
    package var hasLibPQ = true
    package var database = Database.missing
    /// The process that serves the folder.
    package var server: Int32?

    package init() {}
}

/// Files and folders in a data folder that its owner may not use.
package struct UnusableEntries: Sendable {
    /// The path of one of them, relative to the data folder.
    package var example: String
    package var count: Int

    package init(example: String, count: Int) {
        self.example = example
        self.count = count
    }
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
    /// Whether the account that visitors may contact exists; `nil` if none is named, or it cannot be looked up.
    package var hasContact: Bool?

    package init(engine: String, isMigrationDue: Bool, damage: String?, newest: Int64, hasContact: Bool? = nil) {
        self.engine = engine
        self.isMigrationDue = isMigrationDue
        self.damage = damage
        self.newest = newest
        self.hasContact = hasContact
    }
}
