import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// The most recently read page of a timeline, for `--offline`.
struct OfflineTimeline {
    private let owner: String
    private let key: String

    init(_ timeline: TimelineName, session: (address: ServerAddress, login: CredentialStore.Login?)) {
        owner = session.address.description + " " + (session.login?.username ?? "")
        key = timeline.key
    }

    var exists: Bool { get async { (try? await page()) != nil } }

    private func page() async throws -> (entries: [TimelineEntry], syncedAt: Int64)? {
        try await OfflineTimelines(folder: GlobalOptions.folders.state).page(timeline: key, owner: owner)
    }

    func load(_ limit: Int) async throws -> [TimelineEntry] {
        guard let page = try await page() else {
            throw FeedClientError(
                .notFound, "This timeline has not been stored yet", hint: "Read it once without --offline.")
        }
        StandardError.line("as of " + ISO8601.text(milliseconds: page.syncedAt))
        return Array(page.entries.prefix(limit))
    }

    /// Applies edits and deletions to all stored pages. A failure is of no concern to the user, and mended next time.
    func sync(_ global: GlobalOptions) async {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        guard let timelines = try? OfflineTimelines(folder: GlobalOptions.folders.state) else { return }
        try? await global.use { client in try await OfflineSync(timelines, with: client, owner: owner).run(now: now) }
    }

    /// Stores the statuses. A failure is not fatal, because a timeline must remain readable when the disk is full.
    func save(_ entries: [TimelineEntry]) async {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        do {
            try await OfflineTimelines(folder: GlobalOptions.folders.state).save(
                entries, timeline: key, owner: owner, now: now)
        } catch {
            StandardError.line(
                "warning: the timeline could not be stored for offline reading: \(SafeText.line("\(error)"))")
        }
    }
}

extension TimelineName {
    /// The name under which the timeline is stored.
    fileprivate var key: String {
        switch self {
        case .home: "home"
        case .public: "public"
        case .local: "local"
        case .tag(let name): "#" + name.lowercased()
        case .favourites: "favourites"
        case .bookmarks: "bookmarks"
        case .account(let name): "@" + name.lowercased()
        case .list(let name): "list:" + name
        }
    }
}
