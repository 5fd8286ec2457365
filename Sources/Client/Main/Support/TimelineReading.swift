import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Reads a timeline from the server or the disk, and shows it.
struct TimelineReading {
    let timeline: TimelineName
    /// The maximum number of statuses.
    let limit: Int
    let range: TimelineRange
    let isJSON: Bool
    let images: ImageOption
    let global: GlobalOptions
    let login: CredentialStore.Login?
    let stored: StoredTimelines

    private var hasRange: Bool { range != TimelineRange() }
    private var output: TimelineOutput {
        TimelineOutput(timeline: timeline, isJSON: isJSON, images: images, global: global)
    }

    /// Shows what is stored, without a network.
    func showStored() async throws {
        let found = try await stored.load(timeline, limit, range, countsRepetitions: isJSON)
        reportTime(of: found)
        if found.entries.isEmpty { reportEmpty() }
        try await output.show(found, below: range.before)
    }

    private func reportTime(of found: StoredTimeline) {
        if found.hasNewest { return StandardError.line("as of " + ISO8601.text(milliseconds: found.syncedAt)) }
        guard range.before == nil else { return }
        StandardError.line("the newest statuses were not loaded; run " + SafeText.line(timeline.command))
    }

    /// Shows the timeline as it is at the server. On a terminal, what is stored is shown at once, and then what is new.
    func show() async throws {
        let found = isJSON || hasRange || !TerminalCapabilities.current().isOutput ? nil : await newest()
        let newest: String?
        if let found { newest = try await showNews(since: found) } else { newest = try await showFetched() }
        guard let login, !login.isClassic else { return }
        let isRead = timeline == .home && range.before == nil && !isJSON
        await stored.update(global, reading: isRead ? .home : nil, upTo: newest)
    }

    private func newest() async -> StoredTimeline? {
        await stored.newest(of: timeline, limit).flatMap { $0.entries.isEmpty || !$0.hasNewest ? nil : $0 }
    }

    /// - Returns: The id of the newest status.
    private func showFetched() async throws -> String? {
        let entries: [TimelineEntry]
        do { entries = try await fetch() } catch let error as FeedClientError {
            throw await explained(error, shown: nil)
        }
        if entries.isEmpty, !isJSON { reportEmpty() }
        try await output.show(entries)
        return entries.first?.status.id
    }

    /// - Returns: The id of the newest status.
    private func showNews(since found: StoredTimeline) async throws -> String? {
        let shown = found.unbroken
        let kind = output.pictureProtocol(for: shown)
        let screen = GrowingOutput(isPaged: StatusOutput.mayBePaged(kind))
        defer { screen.end() }
        screen.show(try await output.lines(shown, kind, onlyCached: true))
        do {
            let entries = try await fetch()
            let news = TimelineNews(shown: shown.map(\.status.id), fetched: entries.map(\.status.id), limit: limit)
            screen.show(try await output.lines(news.older.map { entries[$0] }, kind))
            if let oldest = news.newer.last {
                let lines = try await output.lines(news.newer.map { entries[$0] }, kind, since: found.syncedAt)
                screen.show(
                    lines + (news.hasGap ? output.gap(below: entries[oldest].status.id) : []))
            }
            return entries.first?.status.id ?? shown.first?.status.id
        } catch let error as FeedClientError {
            throw await explained(error, shown: found)
        }
    }

    private func reportEmpty() { StandardError.line(hasRange ? "no statuses in this range" : "no statuses yet") }

    // MARK: The server

    private func fetch() async throws -> [TimelineEntry] {
        try await global.use { client in
            if login?.isClassic == true { return try await classic(client) }
            return try await stored.fetch(timeline, limit, range, countsRepetitions: isJSON, with: client)
        }
    }

    private func classic(_ client: FeedClient) async throws -> [TimelineEntry] {
        if limit > ClassicFeed.maximumCount {
            StandardError.line("this server sends only the newest \(ClassicFeed.maximumCount) statuses")
        }
        let entries = try await client.classicFeed().statuses.map { status in
            TimelineEntry(status: status.entity, json: try EntityJSON.bytes(status.entity))
        }
        await stored.save(entries, of: timeline)
        return Array(entries.prefix(limit))
    }

    /// Adds a hint about what else can be read.
    private func explained(_ error: FeedClientError, shown: StoredTimeline?) async -> FeedClientError {
        var hint = error.hint
        switch (error.code, timeline) {
        case (.unreachable, _), (.network, _):
            if let shown {
                let now = Milliseconds.now
                hint = "The statuses shown were read at \(LocalTime.text(shown.syncedAt, now: now))."
            } else if await stored.newest(of: timeline, 1) != nil {
                hint = "Read the stored statuses with --offline."
            }
        case (.notFound, .account(let name)):
            hint = "Check the name; a hashtag is tag:\(name), and a list is list:\(name)."
        default: break
        }
        return FeedClientError(error.code, error.message, hint: hint, cause: error.cause, status: error.status)
    }
}
