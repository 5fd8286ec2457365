import FeedCore
import Foundation
import TestKit
import Testing

/// The tables in `Docs/limits.md` state the defaults of ``Limits``.
@Suite(.hangLimit)
struct LimitTableTests {
    private typealias Row = (what: String, limit: String, covers: [String])

    private static func bytes(_ count: Int) -> String {
        if count >= 1 << 30, count % (1 << 30) == 0 { return "\(count >> 30) GiB" }
        if count >= 1 << 20, count % (1 << 20) == 0 { return "\(count >> 20) MiB" }
        return count % 1024 == 0 ? "\(count >> 10) KiB" : "\(grouped(count)) bytes"
    }

    private static func grouped(_ count: Int) -> String {
        count < 1000 ? "\(count)" : "\(count / 1000)," + String("\(1000 + count % 1000)".dropFirst())
    }

    private static func time(_ milliseconds: Int64) -> String { "\(milliseconds / 1000) s" }

    private static func rate(_ limit: RateLimit, _ noun: String) -> String {
        let period =
            switch limit.seconds {
            case 3600: "an hour"
            case 86_400: "a day"
            case 7200...: "\(limit.seconds / 3600) hours"
            default: "\(limit.seconds / 60) min"
            }
        return "\(grouped(limit.count)) \(noun) in \(period)"
    }

    private static func connectionRows(_ limits: ConnectionLimits) -> [Row] {
        [
            ("connections", "half the allowed open files (at most 65,536) minus 64, at least 64", ["total"]),
            (
                "connections per network",
                "a fifth of all for the first, less for each further one (free connections / \(limits.addressDivisor)), "
                    + "but always \(limits.addressMinimum)", ["addressMinimum", "addressDivisor"]
            ),
            (
                "refused connections that get a response",
                "an eighth of all connections, \(time(limits.refusalTime)); others are closed at once",
                ["refusalDivisor", "refusalTime"]
            ),
            ("requests per connection", grouped(limits.requests), ["requests"]),
            (
                "request head",
                "\(bytes(limits.headBytes)), \(limits.fields) fields, \(bytes(limits.fieldBytes)) per field",
                ["headBytes", "fields", "fieldBytes"]
            ),
            (
                "time for a TLS handshake", time(limits.handshake), ["handshake"]
            ),
            (
                "time for a head", "first \(time(limits.firstHead)), next \(time(limits.nextHead)) after a response",
                ["firstHead", "nextHead"]
            ),
            (
                "rate of a body", "at least \(bytes(limits.bodyBytes)) in \(time(limits.bodyWindow))",
                ["bodyBytes", "bodyWindow"]
            ),
            (
                "rate of a reader", "at least \(bytes(limits.readBytes)) in \(time(limits.readWindow))",
                ["readBytes", "readWindow"]
            ),
            (
                "unread body after a response", "\(time(limits.drain)), \(bytes(limits.drainBytes))",
                ["drain", "drainBytes"]
            ),
        ]
    }

    private static func rows(_ limits: Limits) -> [Row] {
        connectionRows(limits.connections) + [
            (
                "a form or JSON body",
                "\(bytes(limits.formBytes)); \(bytes(limits.longFormBytes)) for statuses and profiles",
                ["formBytes", "longFormBytes", "connections"]
            ),
            ("a file", "\(bytes(Int(limits.fileBytes))) (`--max-file-size`); its name 255 bytes", ["fileBytes"]),
            (
                "a refused form with files, which a page reads so that the browser shows the reason",
                bytes(Int(Limits.refusedFormBytes)), []
            ),
            ("files of one account", "none unless `--file-quota` is set", ["accountBytes"]),
            (
                "API requests",
                rate(limits.requests, "API requests") + " per account, or per network without one (`--rate-limit`)",
                ["requests"]
            ),
            ("statuses, boosts and reports per account", rate(limits.posts, "").replacing("  ", with: " "), ["posts"]),
            ("follows per account", rate(limits.follows, "").replacing("  ", with: " "), ["follows"]),
            (
                "uploads per account, or per network without a token",
                rate(limits.uploads, "").replacing("  ", with: " "), ["uploads"]
            ),
            ("web pages per network", rate(limits.pages, "").replacing("  ", with: " "), ["pages"]),
            (
                "refused and unmatched requests per network, unless another rate counts them",
                rate(limits.refusals, "").replacing("  ", with: " "), ["refusals"]
            ),
            (
                "registrations per network",
                rate(limits.accountCreations, "accounts") + ", "
                    + rate(limits.applicationRegistrations, "applications"),
                ["accountCreations", "applicationRegistrations"]
            ),
            (
                "failed logins in 5 min",
                "\(limits.loginFailures.pair) per account and network, \(limits.loginFailures.network) per network, "
                    + "\(limits.loginFailures.account) per account; the last only for networks without a login in 30 days",
                ["loginFailures"]
            ),
            (
                "networks with a login",
                "\(KnownNetworks.maximum) per account, for \(KnownNetworks.lifetime / 86_400_000) days", []
            ),
            (
                "open streams",
                "\(limits.streams.perAccount) per account, \(limits.streams.perAddress) per network; "
                    + "\(StreamLimits.subscriptions) subscriptions of a WebSocket; a replay of "
                    + "\(grouped(StreamLimits.replayedRows)) rows of the log", ["streams"]
            ),
            (
                "entries of a page",
                "\(limits.pageMaximum) statuses, \(limits.listMaximum) accounts or notifications, 200 files, "
                    + "\(limits.idsMaximum) ids",
                ["pageDefault", "pageMaximum", "listDefault", "listMaximum", "idsMaximum"]
            ),
            (
                "a status",
                "\(limits.statusCharacters) characters, \(grouped(limits.statusBytes)) bytes; a link counts as "
                    + "\(limits.linkLength) characters and is at most 2,048 bytes; "
                    + "\(bytes(limits.statusHTMLBytes)) of HTML",
                ["statusCharacters", "statusBytes", "linkLength", "statusHTMLBytes"]
            ),
            (
                "attached files",
                "\(limits.media.perStatus) per status, images of \(bytes(limits.media.imageBytes)) and "
                    + "\(limits.media.pixels / 1_000_000) megapixels, videos of \(bytes(limits.media.videoBytes)); "
                    + "descriptions of \(grouped(limits.media.descriptionCharacters)) characters; "
                    + "avatars and headers are shown up to \(bytes(limits.media.profileImageBytes)); unattached files "
                    + "are kept for \(MediaLimits.unattachedLifetime / 3_600_000) hours", ["media"]
            ),
            (
                "scheduled statuses",
                "\(ScheduledStatusRule.maximumPerAccount) per account, at least \(ScheduledStatusRule.minimumDelay / 60_000) min ahead; "
                    + "failed attempts are repeated after \(ScheduledStatusRule.retryDelay(after: 1) / 60_000) min to "
                    + "\(ScheduledStatusRule.retryDelay(after: .max) / 3_600_000) hours", []
            ),
            (
                "a profile",
                "name and city \(limits.displayNameCharacters) characters, note \(grouped(limits.noteBytes)) bytes, "
                    + "\(limits.profileFields) fields of \(limits.fieldCharacters) characters, "
                    + "\(Limits.pinnedStatuses) pinned statuses",
                ["displayNameCharacters", "noteBytes", "profileFields", "fieldCharacters"]
            ),
            (
                "lists",
                "\(ListRule.maximumLists) per account, titles of \(ListRule.titleCharacters) characters, "
                    + "\(ListRule.maximumMembers) members", []
            ),
            ("followed accounts", "\(grouped(FollowRule.maximum)) per account, with follow requests", []),
            ("followed hashtags", "\(TagRule.maximum) per account", []),
            ("a password", "\(grouped(limits.passwordBytes)) bytes", ["passwordBytes"]),
            (
                "valid invitations of a member",
                (limits.memberInvitations == 0 ? "none" : grouped(limits.memberInvitations))
                    + " unless `memberInvitations` is set; one person and 30 days each", ["memberInvitations"]
            ),
            (
                "caches and buffers",
                "\(bytes(limits.cacheBytes)) of caches ([`cacheBytes`](operating.md#memory)); "
                    + "2 MiB of unwritten log lines; 20,000 accounts and networks per rate", ["cacheBytes"]
            ),
            ("change log", "\(limits.changeDays) days", ["changeDays"]),
        ]
    }

    /// The second column of the tables with three columns, by the first.
    private static func table() throws -> [String: String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Docs/limits.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        return Dictionary(rows.filter { $0.count == 3 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    @Test func tablesStateTheDefaults() throws {
        let table = try Self.table()
        for row in Self.rows(Limits()) {
            #expect(table[row.what] == row.limit, "\(row.what)")
        }
    }

    /// A new limit needs a row.
    @Test func tablesAreComplete() {
        let covered = Set(Self.rows(Limits()).flatMap(\.covers))
        let limits = [Mirror(reflecting: Limits()), Mirror(reflecting: ConnectionLimits())]
        let missing = limits.flatMap { $0.children.compactMap(\.label) }.filter { !covered.contains($0) }
        #expect(missing.isEmpty, "\(missing)")
    }
}

@Suite(.hangLimit)
struct ConnectionLimitsTests {
    @Test func onlyShorterTimeoutsAreExtended() {
        var limits = ConnectionLimits()
        limits.extend(to: 30_000)
        #expect(limits.handshake == 30_000 && limits.firstHead == 30_000 && limits.drain == 30_000)
        let standard = ConnectionLimits()
        #expect(limits.nextHead == standard.nextHead && limits.bodyWindow == standard.bodyWindow)
        #expect(limits.readWindow == standard.readWindow && limits.refusalTime == standard.refusalTime)
        limits = standard
        limits.extend(to: 0)
        #expect(limits == standard)
    }
}

@Suite(.hangLimit)
struct RequestLimitTests {
    @Test(arguments: [
        (1, 1, 300, 400, 1000), (300, 300, 300, 400, 1000), (301, 301, 301, 401, 1003),
        (3000, 3000, 3000, 4000, 10_000),
        (Int.max, Int.max, Int.max, Int.max, Int.max),
    ])
    func higherLimitRaisesActionLimits(count: Int, requests: Int, posts: Int, follows: Int, uploads: Int) {
        var limits = Limits()
        limits.setRequests(count)
        #expect(limits.requests == RateLimit(requests, perSeconds: 300))
        #expect(limits.posts == RateLimit(posts, perSeconds: 10_800))
        #expect(limits.follows == RateLimit(follows, perSeconds: 86_400))
        #expect(limits.uploads == RateLimit(uploads, perSeconds: 3600))
        #expect(limits.accountCreations == Limits().accountCreations)
    }
}
