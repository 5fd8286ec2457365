import FeedAPI
import FeedClientKit

/// Loads pictures through the cache, from URLs sent by servers.
struct PictureLoader {
    private enum Event: Sendable {
        case loaded(url: String, image: AvatarImage?)
        case timeout
    }

    /// The time after which pictures that have not arrived are left out.
    private static let timeLimit = Duration.seconds(Timeout.seconds(20))
    /// How many pictures are loaded ahead of the current one; all of them are in memory.
    private static let window = 6

    let global: GlobalOptions
    /// Whether to use only cached pictures.
    var onlyCached = false

    /// - Parameters:
    ///   - urls: The URLs of the pictures.
    ///   - handle: Gets each picture that could be loaded.
    func load(_ urls: [String], _ handle: (_ url: String, _ image: AvatarImage) async -> Void) async throws {
        guard !urls.isEmpty else { return }
        try await global.use { client in
            guard let cache = try? AvatarCache(folder: GlobalOptions.folders.cache, client: client) else { return }
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
