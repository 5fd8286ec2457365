import FeedAPI

/// A check of `feedserver doctor`.
package struct DoctorCheck: Sendable {
    package let name: String
    /// - Returns: `nil` if the check does not apply.
    package let run: @Sendable (DoctorFacts) -> DoctorFinding?

    /// All checks, in the order in which they are shown.
    package static let all = [
        DoctorCheck(name: "folder", run: folder), DoctorCheck(name: "owner", run: owner),
        DoctorCheck(name: "disk", run: disk),
        DoctorCheck(name: "files on the disk", run: files), DoctorCheck(name: "clock", run: clock),
        DoctorCheck(name: "open files", run: openFiles), DoctorCheck(name: "environment", run: environment),
        DoctorCheck(name: "TLS", run: tls), DoctorCheck(name: "address", run: address),
        DoctorCheck(name: "proxy", run: proxy),
        DoctorCheck(name: "images", run: images), DoctorCheck(name: "libpq", run: library),
        DoctorCheck(name: "database", run: database), DoctorCheck(name: "contact", run: contact),
        DoctorCheck(name: "server", run: server),
    ]

    @Sendable private static func folder(_ facts: DoctorFacts) -> DoctorFinding? {
        let path = facts.path
        switch facts.folder {
        case .missing:
            return .problem("\(path) does not exist", "Name the data folder with --data DIR; serve creates it.")
        case .notAFolder:
            return .problem("\(path) is not a folder", "Name the data folder with --data DIR.")
        case .present(_, isWritable: false, _):
            return .problem("this user may not write to \(path)", "Run feedserver as its owner, or change its owner.")
        case .present(isOwn: false, _, _):
            return .warning("\(path) belongs to another user", "Run feedserver as its owner, or change its owner.")
        case .present(_, _, let mode) where mode & 0o027 != 0:
            return .warning("other users may enter \(path)", "Run chmod o= \(path), or chmod 700 \(path).")
        case .present:
            return .ok("\(path) belongs to this user, who may write to it, and is private")
        }
    }

    @Sendable private static func owner(_ facts: DoctorFacts) -> DoctorFinding? {
        guard let owner = facts.owner else { return nil }
        guard let unusable = facts.unusable else { return .ok("\(owner) may use everything in the folder") }
        let others = unusable.count == 1 ? "" : " and \(unusable.count - 1) more"
        return .problem(
            "the folder belongs to \(owner), who may not use \(unusable.example)\(others) in it",
            "Run chown -R \(owner) \(facts.path) as root.")
    }

    @Sendable private static func disk(_ facts: DoctorFacts) -> DoctorFinding? {
        guard let free = facts.freeBytes else { return nil }
        let message = free < 10 << 30 ? "\(free >> 20) MiB free" : "\(free >> 30) GiB free"
        if free < 64 << 20 { return .problem(message, "Free some space; a full disk cannot store anything.") }
        return free < 1 << 30 ? .warning(message, "Free some space before the disk is full.") : .ok(message)
    }

    @Sendable private static func files(_ facts: DoctorFacts) -> DoctorFinding? {
        guard let free = facts.freeFiles else { return nil }
        let message = "\(free) more files can be created"
        if free < 1000 { return .problem(message, "Delete files: the file system has no inodes left.") }
        return free < 10_000
            ? .warning(message, "Delete files before the file system has no inodes left.") : .ok(message)
    }

    @Sendable private static func openFiles(_ facts: DoctorFacts) -> DoctorFinding? {
        let message = "\(facts.openFiles) are allowed, half of them for connections"
        let remedy = "Raise the limit, for example with LimitNOFILE=65536 in the systemd unit."
        if facts.openFiles < 512 { return .problem(message, remedy) }
        return facts.openFiles < 4096 ? .warning(message, remedy) : .ok(message)
    }

    @Sendable private static func address(_ facts: DoctorFacts) -> DoctorFinding? {
        guard let address = facts.address else { return nil }
        switch address {
        case .free(let url): return .ok("the server can listen on \(url)")
        case .served(let url): return .ok("the server of this folder listens on \(url)")
        case .unusable(let error):
            let remedy = error.hint ?? "Check --host and --port."
            // The service may have a capability that this user lacks.
            return error.kind == .forbidden
                ? .warning(error.plainMessage, remedy) : .problem(error.plainMessage, remedy)
        }
    }

    @Sendable private static func environment(_ facts: DoctorFacts) -> DoctorFinding? {
        let unknown = facts.unknownVariables
        guard !unknown.isEmpty else { return nil }
        let names = unknown.map { variable in
            variable.name + (variable.suggestion.map { " (did you mean \($0)?)" } ?? "")
        }
        return .warning("no setting is named \(names.joined(separator: ", "))", UnknownVariable.rule)
    }

    @Sendable private static func images(_ facts: DoctorFacts) -> DoctorFinding? {
        guard !facts.missingImageFormats.isEmpty else { return .ok("the libraries of all formats are installed") }
        return .warning(
            "libraries are missing for " + facts.missingImageFormats.joined(separator: ", ")
                + ": such images get no thumbnails",
            "Install these packages with apt install.")
    }

    @Sendable private static func library(_ facts: DoctorFacts) -> DoctorFinding? {
        if facts.hasLibPQ { return .ok("installed") }
        guard facts.usesPostgres else { return .ok("libpq 14 or newer is not installed; only --database needs it") }
        return .problem("libpq 14 or newer is not installed, but --database needs it", "Run apt install libpq5.")
    }

    @Sendable private static func database(_ facts: DoctorFacts) -> DoctorFinding? {
        switch facts.database {
        case .missing:
            return .warning("does not exist yet", "feedserver serve creates it; check --data if it should exist.")
        case .unusable(let error):
            return .problem(error.plainMessage, error.hint ?? "Check the log of the server.")
        case .usable(let database):
            if let damage = database.damage {
                return .problem(
                    "\(database.engine) is damaged: \(damage)",
                    "Stop the server, move the folder aside, and restore a backup.")
            }
            guard !database.isMigrationDue else {
                return .warning(
                    "\(database.engine), with the schema of an older version",
                    "Back it up; the next feedserver that opens it migrates it.")
            }
            return .ok("\(database.engine), not damaged, with the schema of this version")
        }
    }

    @Sendable private static func contact(_ facts: DoctorFacts) -> DoctorFinding? {
        guard let name = facts.contact, case .usable(let database) = facts.database,
            let hasContact = database.hasContact
        else { return nil }
        guard !hasContact else { return .ok("the account \(name) exists") }
        return .warning(
            "there is no account \(name), which contact of the configuration file names",
            "Correct the name, or add the account with feedserver account add \(name).")
    }

    @Sendable private static func server(_ facts: DoctorFacts) -> DoctorFinding? {
        facts.server.map { .ok("process \($0) is serving the folder") }
    }
}

extension DoctorCheck {
    /// The plausible years: 2024 to 2099.
    private static let plausible: Range<Int64> = 1_704_067_200_000..<4_102_444_800_000
    /// Maximum leads of the newest id over the clock, in milliseconds: without a warning, and without a problem.
    private static let (tolerance, maximum): (Int64, Int64) = (10_000, 3_600_000)

    /// Ids are times. A clock that is behind them gives new statuses the time of the newest one.
    @Sendable static func clock(_ facts: DoctorFacts) -> DoctorFinding? {
        let remedy = "Set the clock, and keep it right with NTP (timedatectl set-ntp true)."
        guard plausible.contains(facts.now) else { return .problem("the date of this machine is wrong", remedy) }
        guard case .usable(let database) = facts.database, database.newest > facts.now + tolerance else {
            return .ok("the date is plausible, and nothing in the database is from the future")
        }
        let message = "it is \((database.newest - facts.now) / 1000) seconds behind the newest entry of the database"
        return database.newest - facts.now > maximum ? .problem(message, remedy) : .warning(message, remedy)
    }
}

extension DoctorCheck {
    @Sendable static func tls(_ facts: DoctorFacts) -> DoctorFinding? {
        guard let certificate = facts.certificate, let key = facts.key else { return nil }
        switch (certificate, key) {
        case (.missing, _): return .problem("the file of --tls-cert does not exist", "Check its path.")
        case (_, .missing): return .problem("the file of --tls-key does not exist", "Check its path.")
        case (.unreadable, _), (_, .unreadable):
            return .problem(
                "this user may not read the files of --tls-cert and --tls-key", "Change their group or their mode.")
        case (.present, .present(let mode)): return facts.certificatePair.map { pair($0, keyMode: mode, facts) }
        }
    }

    private static func pair(
        _ pair: DoctorFacts.CertificatePair, keyMode: Int, _ facts: DoctorFacts
    ) -> DoctorFinding {
        switch pair {
        case .unusable(let error):
            return .problem(error.plainMessage, error.hint ?? "Check the files of --tls-cert and --tls-key.")
        case .usable(let expires) where expires <= facts.now:
            return .problem(
                "the certificate expired at \(ISO8601.text(milliseconds: expires))",
                "Renew it; a running server loads the new files by itself.")
        case .usable where keyMode & 0o007 != 0:
            return .warning("every user of this machine may read the key", "Run chmod o= on the file of --tls-key.")
        case .usable where facts.baseURL?.lowercased().hasPrefix("http:") ?? false:
            return .warning(
                "--base-url begins with http://, but the server speaks only HTTPS: links to it do not work",
                "Let --base-url begin with https://.")
        case .usable(let expires):
            return .ok("the key belongs to the certificate, which expires at \(ISO8601.text(milliseconds: expires))")
        }
    }

    @Sendable static func proxy(_ facts: DoctorFacts) -> DoctorFinding? {
        let hasTLS = facts.certificate != nil
        let isSecure = facts.baseURL?.lowercased().hasPrefix("https:") ?? false
        if facts.hasTrustedProxies { return .ok("the headers of trusted proxies are read") }
        if isSecure, !hasTLS {
            return .warning(
                "--base-url is https, but the server has no TLS and trusts no proxy: all visitors share the proxy's limits",
                "Name it with --trusted-proxy.")
        }
        if !facts.listensOnLoopback, !hasTLS {
            return .warning(
                "the server listens on \(facts.host) without TLS: passwords and tokens can be read on the way",
                "Use --tls-cert and --tls-key, or put a reverse proxy in front of it, as Docs/operating.md shows.")
        }
        return .ok(hasTLS ? "none needed" : "none; the server listens on this machine only")
    }
}

/// The outcome of a check of `feedserver doctor`.
package struct DoctorFinding: Sendable, Equatable {
    package enum Level: String, Sendable { case ok, warning, problem }

    package let level: Level
    package let message: String
    /// The remedy, in words for people.
    package let remedy: String?

    static func ok(_ message: String) -> DoctorFinding { DoctorFinding(level: .ok, message: message, remedy: nil) }

    static func warning(_ message: String, _ remedy: String) -> DoctorFinding {
        DoctorFinding(level: .warning, message: message, remedy: remedy)
    }

    static func problem(_ message: String, _ remedy: String) -> DoctorFinding {
        DoctorFinding(level: .problem, message: message, remedy: remedy)
    }
}
