import FeedClientKit
import FeedTerminal
import Foundation

/// The timelines that are stored for a login.
struct OfflineTimelines {
    private let store: Result<OfflineStore, FeedClientError>
    private let responses: ResponseCache

    /// The name under which timelines and responses are stored.
    static func owner(_ address: ServerAddress, _ login: CredentialStore.Login?) -> String {
        address.description + " " + (login?.username ?? "")
    }

    init(_ session: (address: ServerAddress, login: CredentialStore.Login?)) {
        let owner = Self.owner(session.address, session.login)
        responses = ResponseCache(folder: GlobalOptions.folders.state, owner: owner)
        store = Result { () throws(FeedClientError) in
            try OfflineStore(folder: GlobalOptions.folders.state, owner: owner)
        }
    }

    /// The stored parts of a timeline.
    /// - Throws: ``FeedClientError`` `.disk`.
    func parts(
        of timeline: TimelineName, _ count: Int, _ range: TimelineRange = TimelineRange(), countsRepetitions: Bool
    ) throws -> StoredTimelineParts {
        try store.get().parts(of: timeline, count: count, in: range, countsRepetitions: countsRepetitions)
    }

    /// The newest stored statuses that a query matches.
    /// - Throws: ``FeedClientError`` `.usage`, `.disk`.
    func search(
        _ query: String, count: Int, before: String?, _ session: (address: ServerAddress, login: CredentialStore.Login?)
    ) async throws -> [TimelineEntry] {
        try await store.get().search(
            query, count: count, before: before, on: session.address, as: session.login?.username)
    }

    /// The contents of a store besides timelines.
    /// - Throws: ``FeedClientError`` `.disk`.
    func statuses() throws -> OfflineStore { try store.get() }

    /// Some ids of stored statuses with this ending; none if they cannot be read.
    func ids(endingIn ending: String) async -> [String] {
        (try? await store.get().ids(endingIn: ending, count: 3)) ?? []
    }

    /// The names in what is stored; none if they cannot be read.
    func names() async -> StoredNames { (try? await store.get().names()) ?? StoredNames() }

    /// Whether anything is stored of a timeline.
    func contains(_ timeline: TimelineName) async -> Bool {
        (try? await store.get().statuses(of: timeline, count: 1)) != nil
    }

    /// The newest status of a timeline that has been shown on a terminal; `nil` if that is unknown, or if the timeline is
    /// not sorted by ids.
    func readMark(of timeline: TimelineName) async -> StatusKey? {
        guard timeline.isSortedByID else { return nil }
        return try? await store.get().seenPosition(of: timeline).flatMap { StatusKey($0) }
    }

    /// Records that a timeline has been shown on a terminal. A failure is not reported: only a line is missing later.
    func markSeen(_ timeline: TimelineName, upTo id: String) async {
        guard timeline.isSortedByID else { return }
        try? await store.get().markSeen(timeline, upTo: id)
    }

    /// Reads a timeline page by page and stores it. It is shown even if it cannot be stored.
    /// - Parameters:
    ///   - storesEachPage: Whether each page is stored before it is shown, which may take long. What is stored is then not
    ///     fetched again.
    ///   - onPage: Shows a page, and returns whether to read on.
    func fetch(
        _ timeline: TimelineName, _ count: Int, _ range: TimelineRange, countsRepetitions: Bool, storesEachPage: Bool,
        with client: FeedClient, onPage: (_ page: [TimelineEntry]) async throws -> Bool
    ) async throws {
        guard let sync = sync(with: client) else {
            return try await client.readStatuses(
                of: timeline, count: count, in: range, countsRepetitions: countsRepetitions, onPage: onPage)
        }
        if storesEachPage, range == TimelineRange() {
            return try await sync.refreshStatuses(
                of: timeline, count: count, countsRepetitions: countsRepetitions, onPage: onPage)
        }
        try await sync.readStatuses(
            of: timeline, count: count, in: range, countsRepetitions: countsRepetitions,
            storesEachPage: storesEachPage, onPage: onPage)
    }

    /// Stores the only page of a timeline.
    func save(_ entries: [TimelineEntry], of timeline: TimelineName) async {
        let now = Milliseconds.now
        do { try await store.get().save(TimelineSegment(entries: entries), of: timeline, now: now) } catch {
            Self.report(error)
        }
    }

    /// Stores statuses that were shown outside of a timeline. A failure is not reported: they are only missing without a
    /// network.
    func keep(_ entries: [TimelineEntry]) async {
        guard !entries.isEmpty else { return }
        _ = try? await store.get().add(entries, now: Milliseconds.now)
    }

    /// Keeps what is stored up to date. Failures are not reported; the next call makes up for them.
    /// - Parameters:
    ///   - newest: The newest id that was shown, if that counts as read.
    ///   - appliesChanges: Whether edits and deletions have yet to be fetched.
    func update(
        _ global: GlobalOptions, reading position: ReadPosition? = nil, upTo newest: String? = nil,
        appliesChanges: Bool = true
    ) async {
        try? await global.use { client in
            guard let sync = sync(with: client, isSilent: true) else { return }
            if let position, let newest { try? await sync.markRead(position, upTo: newest) }
            if appliesChanges { try await sync.applyChanges() }
        }
    }

    /// Fetches and stores everything that has changed.
    /// - Throws: ``FeedClientError``.
    func syncAccount(with client: FeedClient) async throws -> SyncSummary {
        try await OfflineSync(try store.get(), with: client, onFailure: { Self.report($0) }).syncAccount()
    }

    /// Removes everything that is stored. A failure is reported.
    func removeAll() async {
        do {
            try await store.get().removeAll()
            try await responses.removeAll()
        } catch {
            StandardError.line("warning: the stored timelines could not be removed: \(SafeText.line("\(error)"))")
        }
    }

    private func sync(with client: FeedClient, isSilent: Bool = false) -> OfflineSync? {
        do {
            return OfflineSync(try store.get(), with: client, onFailure: { Self.report($0) })
        } catch {
            if !isSilent { Self.report(error) }
            return nil
        }
    }

    private static func report(_ error: any Error) {
        StandardError.line(
            "warning: the timeline could not be stored for offline reading: \(SafeText.line("\(error)"))")
    }
}
