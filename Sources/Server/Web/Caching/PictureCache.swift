import FeedCore
import NIOCore
import Synchronization

/// A cache of pictures with a maximum size. A picture depends only on its key.
package final class PictureCache: Sendable {
    /// The approximate size of an entry in bytes, in addition to its key and its picture.
    private static let overhead = 256

    private let limit: Int
    private let pictures: Mutex<LRUCache<String, ByteBuffer>>

    /// - Parameter limit: The maximum total size in bytes.
    package init(limit: Int) {
        self.limit = limit
        pictures = Mutex(LRUCache(limit: limit))
    }

    /// The picture for `key`, if it is in the cache.
    func cached(_ key: String) -> ByteBuffer? { pictures.withLock { $0.value(for: key) } }

    /// The picture for `key`, which `load` reads if it is not in the cache.
    func picture(_ key: String, load: () async throws -> ByteBuffer) async throws -> ByteBuffer {
        if let cached = cached(key) { return cached }
        let picture = try await load()
        keep(picture, for: key)
        return picture
    }

    /// The picture for `key`. It is not rendered on an event loop, because that would delay other clients.
    func rendered(_ key: String, render: @Sendable @escaping () -> [UInt8]) async throws -> ByteBuffer {
        try await picture(key) {
            await withTaskExecutorPreference(globalConcurrentExecutor) { ByteBuffer(bytes: render()) }
        }
    }

    /// A large picture is not kept, since a few of them would displace all others.
    private func keep(_ picture: ByteBuffer, for key: String) {
        let cost = picture.readableBytes + key.utf8.count + Self.overhead
        guard cost <= limit / 16 else { return }
        pictures.withLock { $0.insert(picture, for: key, cost: cost) }
    }
}
