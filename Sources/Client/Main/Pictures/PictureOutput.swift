import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Prints statuses with their pictures.
///
/// The renderer says which pictures are visible, ``PictureLoader`` gets them through the cache, and ``PictureRenderer``
/// decides from the head of each file whether the terminal can decode it; otherwise, ``PictureDecoder`` does. Whatever
/// fails leaves the description of the picture.
struct PictureOutput {
    /// Columns that are kept free for the marks of a conversation.
    static let threadInset = 16

    let images: PictureOption
    let global: GlobalOptions
    /// Whether to use only cached pictures.
    var onlyCached = false
    /// Columns in front of each status.
    var inset = 0

    /// - Parameters:
    ///   - renderer: Renders statuses without pictures.
    ///   - request: The pictures to load.
    ///   - lines: All lines, made with a renderer that shows pictures or does not.
    func show(
        _ renderer: StatusRenderer, _ request: StatusPictures.Request, lines: (StatusRenderer) -> [String]
    ) async throws {
        let plain = lines(renderer)
        let kind = pictureProtocol(for: plain)
        let shown = try await self.renderer(renderer, showing: request, as: kind)
        ScreenOutput().show(kind == .none ? plain : lines(shown), isPaged: Self.mayBePaged(kind))
    }

    /// The protocol for pictures between the lines. A pager passes on only half blocks; a user who chooses a protocol
    /// prefers pictures to the pager.
    func pictureProtocol(for lines: @autoclosure () -> [String]) -> PictureProtocol {
        if let fixedProtocol { return fixedProtocol }
        let output = ScreenOutput()
        return output.pager(for: lines()) == nil ? images.pictureProtocol(output.screen) : PictureProtocol.none
    }

    /// The protocol for pictures between any lines; `nil` if it depends on whether a pager is needed.
    var fixedProtocol: PictureProtocol? {
        let output = ScreenOutput()
        let kind = images.pictureProtocol(output.screen)
        let isFixed = kind == .none || kind == .blocks || images != .auto || output.pagerCommand == nil
        return isFixed ? kind : nil
    }

    /// Whether lines with such pictures may be shown in a pager.
    static func mayBePaged(_ kind: PictureProtocol) -> Bool { kind == .none || kind == .blocks }

    /// A renderer that shows the pictures of a single status.
    func renderer(_ renderer: StatusRenderer, for status: Entity.Status) async throws -> StatusRenderer {
        var request = StatusPictures.Request()
        request.add(status.reblog?.value ?? status, shownBy: renderer)
        return try await self.renderer(renderer, showing: request, as: images.pictureProtocol(.current()))
    }

    /// A renderer that shows pictures.
    private func renderer(
        _ renderer: StatusRenderer, showing request: StatusPictures.Request, as kind: PictureProtocol
    ) async throws -> StatusRenderer {
        try await load(request, for: renderer, as: kind, onlyCached: onlyCached).shown(by: renderer)
    }

    /// Loads pictures.
    /// - Parameters:
    ///   - request: The pictures of the next statuses.
    ///   - loaded: The pictures of the statuses before them.
    ///   - onlyCached: Whether to use only cached pictures.
    func load(
        _ request: StatusPictures.Request, after loaded: StatusPictures = StatusPictures(),
        for renderer: StatusRenderer, as kind: PictureProtocol, onlyCached: Bool = false
    ) async throws -> StatusPictures {
        guard kind != .none else { return loaded }
        let encoder = PictureRenderer(kind: kind, columns: max(1, renderer.pictureColumns - inset))
        let loader = PictureLoader(global: global, onlyCached: onlyCached)
        return try await loaded.loading(request, for: encoder, with: loader)
    }
}

/// The pictures of statuses, encoded for the terminal.
struct StatusPictures: Sendable {
    /// The pictures to show, as their URLs.
    struct Request {
        /// The avatars of authors, with the number of statuses.
        var avatars: [String: Int] = [:]
        /// Previews of media, in the order of the statuses.
        var previews: [String] = []

        /// Adds the pictures of a status.
        mutating func add(_ status: Entity.Status, shownBy renderer: StatusRenderer) {
            guard renderer.effect(on: status) != .hide else { return }
            if let avatar = status.account.avatar { avatars[avatar, default: 0] += 1 }
            previews += renderer.shownMedia(of: status).compactMap(AttachmentRenderer.previewURL)
        }
    }

    /// The maximum number of previews that are loaded for all statuses, and of avatars.
    private static let maximumPreviews = 40, maximumAvatars = 200
    /// The maximum size of what is written for all pictures, in bytes; further ones are left out.
    private static let maximumBytes = 32 << 20

    private var avatars: [String: String] = [:]
    private var previews: [String: [String]] = [:]
    /// The remaining budget for the pictures of all statuses.
    private var budget = PictureBudget(limit: StatusPictures.maximumBytes)
    /// The avatars that have been requested, and the number of previews.
    private var requestedAvatars: Set<String> = []
    private var requestedPreviews = 0

    init() {}

    /// These avatars with the pictures of further statuses, which are loaded through the cache and encoded. What cannot be
    /// loaded or decoded is left out, and so are the previews of earlier statuses.
    func loading(
        _ request: Request, for encoder: PictureRenderer, with loader: PictureLoader
    ) async throws -> StatusPictures {
        var pictures = self
        let previews = Set(request.previews.prefix(Self.maximumPreviews - requestedPreviews))
        let avatars = encoder.showsAvatars ? newAvatars(of: request) : []
        let uses: [String: Int] = request.previews.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        pictures.previews = [:]
        pictures.requestedPreviews += previews.count
        pictures.requestedAvatars.formUnion(avatars)
        pictures.showAgain(request.avatars)
        try await loader.load(Array(avatars.union(previews))) { url, image in
            if previews.contains(url) {
                pictures.add(await encoder.lines(image), for: url, uses: uses[url] ?? 1)
            }
            if avatars.contains(url) {
                pictures.add(await encoder.avatar(image), for: url, uses: request.avatars[url] ?? 1)
            }
        }
        return pictures
    }

    private func newAvatars(of request: Request) -> Set<String> {
        let new = Set(request.avatars.keys).subtracting(requestedAvatars)
        return Set(new.sorted().prefix(Self.maximumAvatars - requestedAvatars.count))
    }

    /// Counts the avatars of earlier statuses that are written again, or leaves them out from now on.
    private mutating func showAgain(_ uses: [String: Int]) {
        for (url, count) in uses.sorted(by: { $0.key < $1.key }) {
            if let avatar = avatars.removeValue(forKey: url) { add(avatar, for: url, uses: count) }
        }
    }

    private mutating func add(_ lines: [String], for url: String, uses: Int) {
        let count = lines.reduce(0) { $0 + $1.utf8.count }
        if count > 0, budget.take(count, uses: uses) { previews[url] = lines }
    }

    private mutating func add(_ avatar: String?, for url: String, uses: Int) {
        if let avatar, budget.take(avatar.utf8.count, uses: uses) { avatars[url] = avatar }
    }

    /// A renderer that also shows these pictures.
    func shown(by renderer: StatusRenderer) -> StatusRenderer {
        var renderer = renderer
        renderer.picture = { account in account.avatar.flatMap { avatars[$0] } }
        renderer.mediaPicture = { media in AttachmentRenderer.previewURL(media).flatMap { previews[$0] } ?? [] }
        return renderer
    }
}

/// Bounds the encoded pictures of an output.
struct PictureBudget: Sendable {
    /// In bytes.
    private var remaining: Int

    /// - Parameter limit: In bytes.
    init(limit: Int) { remaining = limit }

    /// Takes what a picture needs.
    /// - Parameters:
    ///   - bytes: The size of the encoded picture.
    ///   - uses: How often it is shown: each time, it is written again.
    /// - Returns: Whether there is enough; if not, nothing is taken.
    mutating func take(_ bytes: Int, uses: Int) -> Bool {
        let (total, isTooLarge) = bytes.multipliedReportingOverflow(by: uses)
        guard !isTooLarge, total <= remaining else { return false }
        remaining -= total
        return true
    }
}

/// Loads pictures through the cache, from URLs sent by servers.
struct PictureLoader {
    private enum Event: Sendable {
        case loaded(url: String, image: AvatarImage?)
        case timeout
    }

    /// The time after which pictures that have not arrived are left out.
    private static let timeLimit = Duration.seconds(Timeout.seconds(20))
    /// The number of pictures to load ahead of the current one; all of them are in memory.
    private static let window = 6

    let global: GlobalOptions
    /// Whether to use only cached pictures.
    var onlyCached = false

    /// - Parameters:
    ///   - urls: The URLs of the pictures.
    ///   - handle: Gets each picture that could be loaded.
    func load(_ urls: [String], _ handle: (_ url: String, _ image: AvatarImage) async -> Void) async throws {
        guard !urls.isEmpty else { return }
        let limits = try global.pictures.limits()
        try await global.use { client in
            guard let cache = try? AvatarCache(folder: GlobalOptions.folders.cache, limits: limits, client: client)
            else { return }
            await load(urls, from: cache, handle)
            await cache.close()
        }
    }

    private func load(
        _ urls: [String], from cache: AvatarCache, _ handle: (_ url: String, _ image: AvatarImage) async -> Void
    ) async {
        await withTaskGroup(of: Event.self) { group in
            group.addTask {
                try? await Task.sleep(for: Self.timeLimit)
                return .timeout
            }
            var (waiting, missing) = (urls[...], urls.count)
            func loadNext() {
                guard let url = waiting.popFirst() else { return }
                group.addTask { .loaded(url: url, image: await image(at: url, from: cache)) }
            }
            for _ in 0..<Self.window { loadNext() }
            while missing > 0, case .loaded(let url, let image)? = await group.next() {
                missing -= 1
                loadNext()
                if let image { await handle(url, image) }
            }
            group.cancelAll()
        }
    }

    private func image(at url: String, from cache: AvatarCache) async -> AvatarImage? {
        onlyCached ? await cache.cachedImage(at: url) : try? await cache.image(at: url)
    }
}
