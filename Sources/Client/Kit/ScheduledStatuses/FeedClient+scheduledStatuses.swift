import AsyncHTTPClient
public import FeedAPI
public import Foundation
import NIOHTTP1

/// A scheduled status, decoded and as the server sent it.
public struct ScheduledEntry: Sendable {
    public let status: Entity.ScheduledStatus
    /// The JSON object that the server sent.
    public let json: [UInt8]
}

extension FeedClient {
    private static let scheduledPerPage = 40
    private static let maximumScheduledPages = 100

    /// All scheduled statuses of this account, the newest first.
    /// - Throws: ``FeedClientError``.
    public func scheduledStatuses() async throws -> [ScheduledEntry] {
        var (scheduled, cursors) = ([ScheduledEntry](), PageCursors())
        var oldest: String?
        for _ in 0..<Self.maximumScheduledPages {
            let query = [("limit", String(Self.scheduledPerPage)), ("max_id", oldest)]
            let response = try await transport.send(request(Paths.scheduledStatuses, query: query))
            let statuses = try response.decode([Entity.ScheduledStatus].self)
            let entries = zip(statuses, JSONText.elements(of: response.bytes)).map {
                ScheduledEntry(status: $0, json: Array($1))
            }
            // Prevents an endless loop if the server repeats a page.
            guard let last = entries.last?.status.id, cursors.advance(to: last) else { return scheduled }
            scheduled += entries
            guard response.links.next != nil else { return scheduled }
            oldest = last
        }
        return scheduled
    }

    /// Changes the time of publication.
    /// - Parameter time: Milliseconds since 1970.
    /// - Throws: ``FeedClientError``.
    public func moveScheduledStatus(_ id: String, to time: Int64) async throws -> ScheduledEntry {
        var request = formRequest(
            Paths.scheduledStatuses + "/" + Self.percentEncoded(id),
            [("scheduled_at", ISO8601.text(milliseconds: time))])
        request.method = .PUT
        return try Self.scheduled(try await transport.send(request))
    }

    /// Deletes a scheduled status.
    /// - Throws: ``FeedClientError``.
    public func cancelScheduledStatus(_ id: String) async throws {
        var request = request(Paths.scheduledStatuses + "/" + Self.percentEncoded(id))
        request.method = .DELETE
        _ = try await transport.send(request)
    }

    static func scheduled(_ response: Response) throws -> ScheduledEntry {
        ScheduledEntry(status: try response.decode(Entity.ScheduledStatus.self), json: response.bytes)
    }
}

/// The result of posting or scheduling a status, or of another action of the outbox.
public enum SchedulingResult: Sendable {
    case scheduled(ScheduledEntry)
    /// The server has posted the status instead: an earlier request with the same key scheduled it, and it has been
    /// published since, or the server cannot schedule.
    case posted(TimelineEntry)
    /// The relationship to an account has been changed.
    case related(Entity.Account, Entity.Relationship)
    /// A status has been deleted; the entry is `nil` if it was already gone.
    case deleted(String, TimelineEntry?)
    /// The poll with the new votes, decoded and as the server sent it.
    case voted(Entity.Poll, [UInt8])
    /// A list has been created or deleted, or the accounts have been added to it or removed; `nil` for a deleted list that
    /// was already gone.
    case list(Entity.List?, [Entity.Account])
    /// A hashtag has been followed or unfollowed.
    case tag(Entity.Tag)
}

extension FeedClient {
    /// Lets the server post a status at a later time.
    /// - Parameters:
    ///   - draft: The status to post.
    ///   - time: Milliseconds since 1970, at least five minutes from now.
    ///   - idempotencyKey: Prevents a second status when the same request is repeated, if the server supports it.
    /// - Throws: ``FeedClientError``.
    public func schedule(
        _ draft: Draft, at time: Int64, idempotencyKey: String = UUID().uuidString
    ) async throws -> SchedulingResult {
        let request = postRequest(draft, scheduledAt: time, idempotencyKey: idempotencyKey)
        let response = try await transport.send(request)
        if let scheduled = try? Self.scheduled(response) { return .scheduled(scheduled) }
        return .posted(try Self.entry(response))
    }

    /// Uploads files and lets the server post a status to which they are attached, as ``post(_:attaching:idempotencyKey:progress:)``.
    public func schedule(
        _ draft: Draft, at time: Int64, attaching files: [MediaFile], idempotencyKey: String = UUID().uuidString,
        progress: @escaping @Sendable (_ file: Int, _ done: Int64) -> Void = { _, _ in }
    ) async throws -> SchedulingResult {
        try await attaching(files, to: draft, progress: progress) { draft in
            try await schedule(draft, at: time, idempotencyKey: idempotencyKey)
        }
    }
}

/// The time at which a status is to be published, as people write it.
public enum PublicationTime {
    /// The minimum time in milliseconds until the publication that this server and Mastodon accept.
    public static let minimumDelay: Int64 = 300_000
    private static let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    private static let maximumSeconds: Int64 = 100 * 366 * 86_400

    /// Parses a time: ISO 8601, which is local time unless it ends with `Z` or an offset (`2026-12-24T18:00`), or the time
    /// from now in weeks, days, hours and minutes (`+2h`, `+1d12h`).
    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    ///   - zone: The time zone of local times; `nil` for the process's own, which the C library reads from `TZ`.
    /// - Returns: Milliseconds since 1970.
    /// - Throws: ``FeedClientError`` `.usage` if the text is no such time, or the time is too soon.
    public static func milliseconds(_ text: String, now: Int64, zone: TimeZone? = nil) throws -> Int64 {
        let parsed = text.hasPrefix("+") ? delay(text.dropFirst()).map { now + $0 * 1000 } : absolute(text, zone)
        guard let time = parsed else {
            throw FeedClientError(
                .usage, "\"\(text.prefix(40))\" is not a time",
                hint: "Write a time such as 2026-12-24T18:00, or the time from now such as +2h or +1d12h.")
        }
        guard time - now >= minimumDelay else {
            throw FeedClientError(
                .usage, "\"\(text)\" is \(time < now ? "in the past" : "less than 5 minutes from now")",
                hint: "A post can be scheduled for 5 minutes from now or later; post it without --schedule instead.")
        }
        return time
    }

    private static func absolute(_ text: String, _ zone: TimeZone?) -> Int64? {
        ISO8601.milliseconds(written: text) { local in
            guard let zone else { return offsetOfProcess(local) }
            // The offset at that time, not now: there may be a change to or from summer time in between.
            let guess = Int64(zone.secondsFromGMT(for: date(local))) * 1000
            return Int64(zone.secondsFromGMT(for: date(local - guess))) * 1000
        }
    }

    /// The offset from UTC in milliseconds at a local time. `TimeZone.current` takes a `TZ` such as `UTC+3`,
    /// `:Europe/Berlin` or a path for UTC; `mktime` understands what `date` understands.
    private static func offsetOfProcess(_ local: Int64) -> Int64 {
        let seconds = local / 1000
        var (time, fields) = (time_t(clamping: seconds), tm())
        guard gmtime_r(&time, &fields) != nil else { return 0 }
        fields.tm_isdst = -1
        return (seconds - Int64(mktime(&fields))) * 1000
    }

    private static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The seconds in a text such as `1d12h`.
    private static func delay(_ text: Substring) -> Int64? {
        var (total, digits, seen) = (Int64(0), "", Set<Character>())
        for character in text {
            if let unit = units[character] {
                guard let count = Int64(digits), count <= maximumSeconds / unit, seen.insert(character).inserted else {
                    return nil
                }
                total += count * unit
                digits = ""
            } else {
                guard character.isASCII, character.isNumber else { return nil }
                digits.append(character)
            }
        }
        return digits.isEmpty && !seen.isEmpty && total <= maximumSeconds ? total : nil
    }
}
