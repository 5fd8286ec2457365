import FeedAPI
import FeedClientKit
import FeedTerminal

/// The pictures of statuses, encoded for the terminal.
struct StatusPictures: Sendable {
    /// Which pictures are shown, as their URLs.
    struct Request {
        /// The avatars of authors, with the number of statuses.
        var avatars: [String: Int] = [:]
        /// Previews of media, in the order of the statuses.
        var previews: [String] = []

        /// Adds the pictures of a status.
        mutating func add(_ status: Entity.Status, shownBy renderer: StatusRenderer) {
            guard renderer.effect(on: status) != .hide else { return }
            if let avatar = status.account.avatar { avatars[avatar, default: 0] += 1 }
            previews += renderer.shownMedia(of: status).compactMap(MediaRenderer.previewURL)
        }
    }

    /// The maximum number of previews that are loaded for all statuses, and of avatars.
    private static let maximumPreviews = 40, maximumAvatars = 200
    /// The maximum size of what is written for all pictures, in bytes; further ones are left out.
    private static let maximumBytes = 32 << 20

    private var avatars: [String: String] = [:]
    private var previews: [String: [String]] = [:]
    /// What may still be written, for the pictures of all statuses.
    private var budget = PictureBudget(limit: StatusPictures.maximumBytes)
    /// The avatars that have been requested, and the number of previews.
    private var requestedAvatars: Set<String> = []
    private var requestedPreviews = 0

    init() {}

    /// These avatars with the pictures of further statuses, which are loaded through the cache and encoded. What cannot be
    /// loaded or decoded is left out, and so are the previews of earlier statuses.
    func loading(
        _ request: Request, for encoder: PictureEncoder, with loader: PictureLoader
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
        renderer.mediaPicture = { media in MediaRenderer.previewURL(media).flatMap { previews[$0] } ?? [] }
        return renderer
    }
}
