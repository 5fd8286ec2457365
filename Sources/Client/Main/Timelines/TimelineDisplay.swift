import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Reads a timeline from the server or the disk, and shows it.
///
/// On a terminal, what ``TimelineStore`` holds down to the first gap is shown first. ``TimelineSync`` then reads the
/// newest statuses, and ``TimelineNews`` decides which of them are new. Each page is printed before the next one is
/// read; new statuses are fetched before older ones but shown below them, so their rendered text waits. Finally, the
/// change feed brings edits and deletions to all stored timelines.
struct TimelineDisplay {
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
    /// Whether statuses are shown to somebody who may let the pager wait.
    private var isScreen: Bool { !isJSON && TerminalCapabilities.current().isOutput }

    private func output(_ images: ImageOption) -> TimelineOutput {
        TimelineOutput(timeline: timeline, isJSON: isJSON, images: images, global: global)
    }

    /// Shows what is stored, without a network.
    func showStored() async throws {
        let output = output(images)
        output.onlyCached = true
        let parts = try stored.parts(of: timeline, limit, range, countsRepetitions: isJSON)
        var (isStored, isEmpty, upper) = (false, true, range.before)
        try await output.use {
            for try await part in parts {
                if !isStored { reportTime(of: part) }
                if part.startsWithGap, let upper { output.showGap(below: upper) }
                (isStored, isEmpty) = (true, isEmpty && part.entries.isEmpty)
                upper = part.entries.last?.entry.status.id ?? upper
                guard try await output.show(part.entries) else { break }
            }
        }
        guard isStored else {
            throw FeedClientError(
                .notFound, "This timeline has not been stored yet", hint: "Read it once without --offline.")
        }
        if isEmpty { reportEmpty() }
    }

    private func reportTime(of found: StoredTimeline) {
        if found.hasNewest { return StandardError.line("as of " + LocalTime.full(found.syncedAt)) }
        guard range.before == nil else { return }
        StandardError.line("the newest statuses were not loaded; run " + SafeText.line(timeline.command))
    }

    /// Shows the timeline as it is at the server. On a terminal, what is stored is shown at once, and then what is new.
    func show() async throws {
        let output = output(images)
        let newest: String? = try await output.use {
            guard isScreen, !hasRange, let shown = try await showUnbroken(on: output) else {
                return try await showFetched(on: output)
            }
            return try await showNews(since: shown, on: output)
        }
        guard let login, !login.isClassic else { return }
        let isRead = timeline == .home && range.before == nil && !isJSON
        await stored.update(
            global, reading: isRead ? .home : nil, upTo: newest, appliesChanges: !isScreen || hasRange)
    }

    /// - Returns: The id of the newest status.
    private func showFetched(on output: TimelineOutput) async throws -> String? {
        var newest: String?
        do {
            try await fetch { page in
                newest = newest ?? page.first?.status.id
                return try await output.show(page.map { StoredTimeline.Entry($0) })
            }
        } catch let error as FeedClientError { throw await explained(error, syncedAt: nil) }
        if newest == nil, !isJSON { reportEmpty() }
        return newest
    }

    private func reportEmpty() { StandardError.line(hasRange ? "no statuses in this range" : "no statuses yet") }

    // MARK: Stored and new statuses

    /// The part of a stored timeline that has been shown.
    private struct ShownPart {
        var ids: Set<String> = []
        let newest: String?
        /// The time at which it was fetched, in milliseconds since 1970.
        let syncedAt: Int64
    }

    /// Shows the stored statuses down to the first gap.
    /// - Returns: `nil` if there are none, if the newest are not among them, or if they cannot be read.
    private func showUnbroken(on output: TimelineOutput) async throws -> ShownPart? {
        guard var parts = try? stored.parts(of: timeline, limit, countsRepetitions: false).makeAsyncIterator(),
            let first = try? await parts.next(), first.hasNewest, !first.entries.isEmpty
        else { return nil }
        var shown = ShownPart(newest: first.entries.first?.entry.status.id, syncedAt: first.syncedAt)
        output.onlyCached = true
        var next: StoredTimeline? = first
        while let part = next {
            let entries = part.unbroken
            shown.ids.formUnion(entries.map(\.status.id))
            guard try await output.show(entries.map { StoredTimeline.Entry($0) }),
                !part.entries.contains(where: \.hasGap)
            else { break }
            next = try? await parts.next()
            if next?.startsWithGap == true { break }
        }
        try await output.settle()
        return shown
    }

    /// Shows what is older than the shown statuses, and then what is newer. The newest is fetched first, so the text of
    /// the statuses is held until all have been fetched.
    /// - Returns: The id of the newest status.
    private func showNews(since shown: ShownPart, on output: TimelineOutput) async throws -> String? {
        var news = TimelineNews<TimelineOutput.Rendered>(shown: shown.ids)
        var (count, newest, oldest) = (0, shown.newest, shown.newest)
        do {
            try await fetch { page in
                if count == 0 { newest = page.first?.status.id ?? newest }
                (count, oldest) = (count + page.count, page.last?.status.id ?? oldest)
                try await add(page, to: &news, output)
                return true
            }
        } catch let error as FeedClientError { throw await explained(error, syncedAt: shown.syncedAt) }
        output.show(news.older)
        guard !news.newer.isEmpty else { return newest }
        output.showHeading(since: shown.syncedAt)
        output.show(news.newer)
        // Statuses between these and the shown ones may be missing.
        if !news.hasMet, count >= limit, let oldest { output.showGap(below: oldest) }
        return newest
    }

    private func add(
        _ page: [TimelineEntry], to news: inout TimelineNews<TimelineOutput.Rendered>, _ output: TimelineOutput
    ) async throws {
        var rest = page[...]
        while !rest.isEmpty {
            let firstShown = rest.firstIndex { news.isShown($0.status.id) }
            let unknown = try await output.rendered(Array(rest[..<(firstShown ?? rest.endIndex)]))
            news.add(unknown)
            if firstShown != nil { news.meet() }
            rest = rest[(firstShown.map { $0 + 1 } ?? rest.endIndex)...]
        }
    }

    // MARK: The server

    private func fetch(_ onPage: (_ page: [TimelineEntry]) async throws -> Bool) async throws {
        try await global.use { client in
            guard login?.isClassic == true else {
                return try await stored.fetch(
                    timeline, limit, range, countsRepetitions: isJSON, storesEachPage: isScreen, with: client,
                    onPage: onPage)
            }
            _ = try await onPage(try await classic(client))
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
    /// - Parameter syncedAt: When the shown statuses were fetched, in milliseconds since 1970; `nil` if none are shown.
    private func explained(_ error: FeedClientError, syncedAt: Int64?) async -> FeedClientError {
        var hint = error.hint
        switch (error.code, timeline) {
        case (.unreachable, _), (.network, _):
            if let syncedAt {
                let now = Milliseconds.now
                hint = "The statuses shown were read at \(LocalTime.text(syncedAt, now: now))."
            } else if await stored.contains(timeline) {
                hint = "Read the stored statuses with --offline."
            }
        case (.notFound, .account(let name)):
            hint = "Check the name; a hashtag is tag:\(name), and a list is list:\(name)."
        default: break
        }
        return FeedClientError(error.code, error.message, hint: hint, cause: error.cause, status: error.status)
    }
}

/// Collects what has not been shown yet of a fetched timeline, and where it belongs.
struct TimelineNews<Item> {
    /// The ids of the statuses that have been shown.
    private let shown: Set<String>
    /// The statuses above or between the shown ones.
    private(set) var newer: [Item] = []
    /// The statuses below the shown ones.
    private(set) var older: [Item] = []
    /// Whether one of the shown statuses has been fetched again.
    private(set) var hasMet = false

    init(shown: Set<String>) { self.shown = shown }

    func isShown(_ id: String) -> Bool { shown.contains(id) }

    /// The next fetched statuses are not among the shown ones.
    mutating func add(_ items: [Item]) { if hasMet { older += items } else { newer += items } }

    /// The next fetched status is one of the shown ones, so what precedes it is not below them.
    mutating func meet() {
        newer += older
        (older, hasMet) = ([], true)
    }
}
