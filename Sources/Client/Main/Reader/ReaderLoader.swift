import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Loads what the reader shows: what is stored at once, and then what the server has.
struct ReaderLoader: Sendable {
    /// The number of stored statuses that are shown at first.
    static let stored = 200
    static let page = 40
    /// The pages without a visible entry after which a timeline seems to end.
    private static let maximumHiddenPages = 10

    let global: GlobalOptions
    let items: ReaderItemRenderer
    var pictures: ReaderPictureLoader { ReaderPictureLoader(global: global) }
    let send: @Sendable (ReaderEvent) -> Void

    func perform(_ effect: ReaderEffect) async {
        switch effect {
        case .load(let source): await load(source)
        case .resume(let source): await load(source, resumes: true)
        case .older(let source, let id): await loadOlder(source, before: id)
        case .thread(let id): await loadThread(id)
        case .preview(let address, let columns, let rows):
            send(.preview(address, await pictures.lines(address, columns: columns, rows: rows)))
        case .picture(let address, let columns, let rows):
            send(.picture(address, await pictures.picture(address, columns: columns, rows: rows)))
        default: break
        }
    }

    /// Shows a source. A server that cannot be reached is not a failure: what is stored remains.
    /// - Parameter resumes: Whether it is shown for the first time, and so starts where it was read up to, also on another
    ///   device.
    func load(_ source: ReaderSource, resumes: Bool = false) async {
        await reporting {
            do {
                try await read(source, resumes: resumes)
            } catch {
                send(.failed(source, Self.reason(error)))
                throw error
            }
        }
    }

    private func read(_ source: ReaderSource, resumes: Bool) async throws {
        switch source {
        case .outbox: try await loadOutbox()
        case .notifications: try await loadNotifications(resumes: resumes)
        case .conversations: try await loadConversations()
        case .search(let text): try await search(text)
        case .profile(let name):
            async let account: Void = loadAccount(name)
            try await load(.account(name), source, resumes: resumes)
            await account
        default: if let timeline = source.timeline { try await load(timeline, source, resumes: resumes) }
        }
    }

    /// Runs something that needs the server. Reports whether it could be reached.
    func reporting(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch let error as FeedClientError where error.isTemporary {
            send(.offline(error.message))
        } catch is CancellationError {
        } catch {
            send(.notice(Self.reason(error)))
        }
    }

    private static func reason(_ error: any Error) -> String { (error as? FeedClientError)?.message ?? "\(error)" }

    func say(_ error: any Error) {
        guard let known = error as? FeedClientError else { return send(.notice("\(error)")) }
        send(.notice([known.message, known.hint].compactMap(\.self).joined(separator: ". ")))
    }

    // MARK: The outbox

    /// Sends what waits in the outbox. The user who asks for it learns what cannot be sent.
    func flush(_ trigger: OutboxTrigger) async throws {
        let account = OutboxAccount(try global.login())
        let failure = try await global.use(account) { client in
            try await GlobalOptions.outbox.flush(account, with: client, trigger) { result in
                report(result)
                if trigger == .flush, case .kept(_, let error?) = result { say(error) }
            }
        }
        if let failure { throw failure }
    }

    /// Says what has become of an earlier post. Those that wait need no attention.
    func report(_ result: OutboxResult) {
        send(.outboxChanged)
        switch result {
        case .delivered(let entry, _): send(.notice("Sent from the outbox: " + OutboxRenderer.purpose(entry.post)))
        case .refused(let entry, let error): say(OutboxFlush.refusal(entry, error))
        case .kept: break
        }
    }

    // MARK: Timelines

    private func load(_ timeline: TimelineName, _ source: ReaderSource, resumes: Bool) async throws {
        let stored = OfflineTimelines(try global.session())
        let mark = await stored.readMark(of: timeline)
        if let mark { send(.position(source, mark.id)) }
        // Later, what is shown is newer.
        if resumes { try await showStored(timeline, source) }
        async let resumed: Void = resumes ? loadPosition(source) : ()
        let start = ContinuousClock.now
        try await global.use { client in
            // Down to what has been read, so that nothing is missing between it and what is new.
            try await stored.fetch(
                timeline, mark == nil ? Self.page : Self.stored, TimelineRange(), countsRepetitions: true,
                storesEachPage: true, with: client
            ) { page in Self.isAbove(mark, page) }
        }
        send(.offline(nil))
        try? await flush(.automatic)
        await stored.update(global)
        await resumed
        try await showStored(timeline, source, since: start)
    }

    /// Whether a page ends above what has been read, as far as that is known.
    private static func isAbove(_ mark: StatusKey?, _ page: [TimelineEntry]) -> Bool {
        guard let mark, let last = page.last.flatMap({ StatusKey($0.status.id) }) else { return true }
        return last > mark
    }

    /// Finds out where the account has read up to on other devices.
    func loadPosition(_ source: ReaderSource) async {
        guard let position = source.readPosition, (try? global.login()) != nil else { return }
        if let id = try? await global.use({ try await $0.readPosition(position) }) { send(.position(source, id)) }
    }

    /// Only statuses without a gap between them: what is missing is fetched when the reader gets there.
    private func showStored(
        _ timeline: TimelineName, _ source: ReaderSource, since start: ContinuousClock.Instant? = nil
    ) async throws {
        let store = try OfflineTimelines(try global.session()).statuses()
        guard let found = try await store.statuses(of: timeline, count: Self.stored) else {
            guard start != nil else { return }
            throw FeedClientError(.disk, "The timeline could not be stored")
        }
        send(.loaded(source, entries(found.unbroken, in: timeline), since: start))
    }

    /// The entries of a timeline, to which its filters apply.
    func entries(_ list: [TimelineEntry], in timeline: TimelineName) -> [ReaderItem] {
        var maker = items
        maker.context = timeline.filterContext
        return maker.items(list)
    }

    /// Shows another version of a status.
    func change(_ entry: TimelineEntry, in source: ReaderSource) {
        let list = source.timeline.map { entries([entry], in: $0) } ?? items.items([entry])
        for item in list { send(.changed(item)) }
    }

    /// Shows the entries below one.
    func loadOlder(_ source: ReaderSource, before id: String) async {
        await reporting {
            do {
                send(.older(source, try await olderEntries(source, before: id)))
            } catch {
                send(.older(source, nil))
                throw error
            }
        }
    }

    /// The next entries of a source that no filter hides.
    private func olderEntries(_ source: ReaderSource, before id: String) async throws -> [ReaderItem] {
        guard let timeline = source.timeline, timeline.isSortedByID else {
            return try await olderEntries(source, after: id)
        }
        var id = id
        for _ in 0..<Self.maximumHiddenPages {
            let list = try await olderEntries(of: timeline, before: id)
            let shown = entries(list, in: timeline)
            guard shown.isEmpty, let last = list.last?.status.id, last != id else { return shown }
            id = last
        }
        return []
    }

    /// The entries below one of a timeline: stored ones, or else those of the server.
    private func olderEntries(of timeline: TimelineName, before id: String) async throws -> [TimelineEntry] {
        let (stored, range) = (OfflineTimelines(try global.session()), TimelineRange(before: id))
        let found = try await stored.statuses().statuses(of: timeline, count: Self.stored, in: range)
        if let found, !found.startsWithGap, !found.unbroken.isEmpty { return found.unbroken }
        var list: [TimelineEntry] = []
        try await global.use { client in
            try await stored.fetch(
                timeline, Self.page, range, countsRepetitions: true, storesEachPage: false, with: client
            ) { page in
                list += page
                return true
            }
        }
        return list
    }

    // MARK: Conversations around a status

    func loadThread(_ id: String) async {
        await reporting {
            let store = try OfflineTimelines(try global.session()).statuses()
            if let stored = try await store.thread(of: id) { show(stored, of: id) }
            show(try await global.use { try await $0.thread(of: id) }, of: id)
            send(.offline(nil))
        }
    }

    private func show(_ thread: StatusThread, of id: String) {
        var maker = items
        maker.context = .thread
        let list = thread.items.compactMap { part in
            maker.item(part.entry, isOpen: part.isFocus).map { maker.indented($0, by: part.depth) }
        }
        send(.thread(of: id, list))
    }
}

extension GlobalOptions {
    /// The username of the login; empty for a visitor.
    /// - Throws: ``FeedClientError`` `.unauthorized` without a login or server, `.usage` for a classic login.
    func readerAccount() throws -> String {
        let login = try session().login
        guard login?.isClassic != true else {
            throw FeedClientError(.usage, "The classic login cannot open the reader", hint: "Log in without --classic.")
        }
        return login?.username ?? ""
    }
}

/// Loads pictures through the cache, and encodes them for the terminal.
struct ReaderPictureLoader: Sendable {
    let global: GlobalOptions

    /// The protocol with which the terminal shows a picture on the whole screen. Between the lines of the detail, only
    /// colored characters can be scrolled and covered.
    static func pictureProtocol(_ screen: TerminalCapabilities) -> PictureProtocol {
        guard screen.hasColor, !screen.isASCII else { return .none }
        let kind = PictureOption.auto.pictureProtocol(screen)
        return kind == .none ? .blocks : kind
    }

    /// The lines of a picture beside text; none if there is no picture.
    func lines(_ address: String, columns: Int, rows: Int) async -> [String] {
        let columns = max(1, columns - StatusRenderer.cell)
        var renderer = PictureRenderer(kind: .blocks, columns: columns)
        renderer.maximumRows = rows
        return await load(address, renderer)
    }

    /// A picture on the whole screen.
    func picture(_ address: String, columns: Int, rows: Int) async -> ReaderPicture {
        let kind = Self.pictureProtocol(.current())
        var renderer = PictureRenderer(kind: kind, columns: columns)
        (renderer.maximumColumns, renderer.maximumRows) = (columns, rows)
        let lines = await load(address, renderer)
        guard let first = lines.first else { return .missing }
        return kind == .blocks ? .lines(lines) : .sequence(first)
    }

    private func load(_ address: String, _ renderer: PictureRenderer) async -> [String] {
        var lines: [String] = []
        try? await PictureLoader(global: global).load([address]) { _, image in lines = await renderer.lines(image) }
        return lines
    }
}
