import FeedAPI
import FeedClientKit
import FeedTerminal

/// The pictures of statuses, encoded for the terminal.
struct StatusPictures: Sendable {
    /// Which pictures are shown, as their URLs.
    struct Request {
        /// The avatars of authors.
        var avatars: Set<String> = []
        /// Previews of media, in the order of the statuses.
        var previews: [String] = []

        /// Adds the pictures of a status.
        mutating func add(_ status: Entity.Status, shownBy renderer: StatusRenderer) {
            if let avatar = status.account.avatar { avatars.insert(avatar) }
            previews += renderer.shownMedia(of: status).compactMap(MediaRenderer.previewURL)
        }
    }

    /// The maximum number of previews that are loaded, and of avatars.
    private static let maximumPreviews = 40, maximumAvatars = 200
    /// The maximum size of all encoded pictures in bytes; further ones are left out.
    private static let maximumBytes = 32 << 20

    private var avatars: [String: String] = [:]
    private var previews: [String: [String]] = [:]
    private var size = 0

    /// Loads pictures through the cache and encodes them. What cannot be loaded or decoded is left out.
    static func load(
        _ request: Request, for encoder: PictureEncoder, with loader: PictureLoader
    ) async throws -> StatusPictures {
        var pictures = StatusPictures()
        let previews = Set(request.previews.prefix(maximumPreviews))
        let avatars = Set(encoder.showsAvatars ? request.avatars.sorted().prefix(maximumAvatars) : [])
        try await loader.load(Array(avatars.union(previews))) { url, image in
            if previews.contains(url) { pictures.add(await encoder.lines(image), for: url) }
            if avatars.contains(url) { pictures.add(await encoder.avatar(image), for: url) }
        }
        return pictures
    }

    private mutating func add(_ lines: [String], for url: String) {
        let count = lines.reduce(0) { $0 + $1.utf8.count }
        guard count > 0, size + count <= Self.maximumBytes else { return }
        size += count
        previews[url] = lines
    }

    private mutating func add(_ avatar: String?, for url: String) {
        guard let avatar, size + avatar.utf8.count <= Self.maximumBytes else { return }
        size += avatar.utf8.count
        avatars[url] = avatar
    }

    /// A renderer that also shows these pictures.
    func shown(by renderer: StatusRenderer) -> StatusRenderer {
        var renderer = renderer
        renderer.picture = { account in account.avatar.flatMap { avatars[$0] } }
        renderer.mediaPicture = { media in MediaRenderer.previewURL(media).flatMap { previews[$0] } ?? [] }
        return renderer
    }
}
