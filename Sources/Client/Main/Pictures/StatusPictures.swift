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
            if let avatar = status.account.avatar { avatars[avatar, default: 0] += 1 }
            previews += renderer.shownMedia(of: status).compactMap(MediaRenderer.previewURL)
        }
    }

    /// The maximum number of previews that are loaded, and of avatars.
    private static let maximumPreviews = 40, maximumAvatars = 200
    /// The maximum size of what is written for all pictures, in bytes; further ones are left out.
    private static let maximumBytes = 32 << 20

    private var avatars: [String: String] = [:]
    private var previews: [String: [String]] = [:]
    private var budget = PictureBudget(limit: StatusPictures.maximumBytes)

    /// Loads pictures through the cache and encodes them. What cannot be loaded or decoded is left out.
    static func load(
        _ request: Request, for encoder: PictureEncoder, with loader: PictureLoader
    ) async throws -> StatusPictures {
        var pictures = StatusPictures()
        let previews = Set(request.previews.prefix(maximumPreviews))
        let avatars = Set(encoder.showsAvatars ? request.avatars.keys.sorted().prefix(maximumAvatars) : [])
        let uses: [String: Int] = request.previews.reduce(into: [:]) { $0[$1, default: 0] += 1 }
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
