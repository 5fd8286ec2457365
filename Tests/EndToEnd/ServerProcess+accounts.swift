import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import feedserver

extension ServerProcess {
    /// Adds an account with a password, as `feedserver account add` does.
    /// - Parameter options: Additional options of the command.
    func addAccount(
        _ name: String, password: String = "secretsecret", role: Account.Role = .member, options: [String] = []
    ) async throws {
        guard options.isEmpty, FeedDatabase.exists(in: data) else {
            let arguments =
                ["account", "add", name, "--password-stdin", "--role", role.rawValue, "--data", data] + options
            let done = try await Tool.run(Programs.feedserver, arguments, input: Data((password + "\n").utf8))
            guard done.code == 0 else { throw StartFailure(log: done.error) }
            return
        }
        // The version of the server, because another one would renew the epoch.
        let database = try FeedDatabase(folder: data, clock: .system, version: FeedserverCommand.version)
        try await database.addAndClose([(name, role)], password: password)
    }

    /// Imports statuses of `ada`, one per second.
    /// - Parameter day: The day of January 2023.
    func importStatuses(_ count: Int, day: Int) async throws {
        let account = #"{"kind":"account","username":"ada"}"#
        let statuses = (0..<count).map { number in
            let time = String(format: "2023-01-%02dT%02d:%02d:%02dZ", day, number / 3600, number / 60 % 60, number % 60)
            return #"{"kind":"status","n":\#(day * 100_000 + number),"author":"ada","created_at":"\#(time)","#
                + #""text":"day \#(day) number \#(number)"}"#
        }
        let file = try folder.file("day-\(day).ndjson", ([account] + statuses).joined(separator: "\n") + "\n")
        let done = try await admin("import", file)
        guard done.code == 0 else { throw StartFailure(log: done.error) }
        try await waitForChanges()
    }

    /// Waits until the server has noticed all changes that other processes have made. Until then, it may respond with
    /// what it has cached.
    func waitForChanges() async throws {
        let newest = try DatabaseFile(data: data).number("SELECT max(sequence) FROM change")
        try await Wait.until("the server has noticed all changes") {
            try await metric("feedserver_change_log_position") >= Double(newest)
        }
    }

    /// The value of a metric without labels.
    func metric(_ name: String) async throws -> Double {
        let lines = try await RawHTTP.send(port: port, "GET", "/metrics").text.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix(name + " ") })
        return try #require(Double(line.dropFirst(name.count + 1)))
    }
}

extension FeedDatabase {
    /// The hashes of hundreds of accounts, with the usual cost, would take a good part of the time of all tests.
    private static let scrypt = Scrypt(logN: 4, r: 8, p: 1)

    /// Adds accounts, and closes the database.
    func addAndClose(
        _ accounts: [(name: String, role: Account.Role)], password: String = "secretsecret"
    ) async throws {
        defer { try? close() }
        for (name, role) in accounts {
            var account = NewAccount(username: name)
            (account.role, account.password) = (role, try Self.scrypt.hash(password))
            _ = try await AccountStore(self).create(account)
        }
    }
}
