import NIOCore
import Synchronization

/// A cache of generated pictures with a maximum size. A picture depends only on its key.
package final class PictureCache: Sendable {
    /// The maximum total size in bytes. If a new picture would exceed it, the cache is emptied first.
    private static let limit = 8 << 20

    private let pictures = Mutex<(bytes: Int, byKey: [String: ByteBuffer])>((0, [:]))

    package init() {}

    /// The picture for `key`, if it has been rendered.
    func cached(_ key: String) -> ByteBuffer? { pictures.withLock { $0.byKey[key] } }

    /// The picture for `key`. It is not rendered on an event loop, because that would delay other clients.
    func picture(_ key: String, render: @Sendable @escaping () -> [UInt8]) async -> ByteBuffer {
        if let known = cached(key) { return known }
        let picture = await withTaskExecutorPreference(globalConcurrentExecutor) { ByteBuffer(bytes: render()) }
        pictures.withLock { pictures in
            if pictures.bytes + picture.readableBytes > Self.limit { pictures = (0, [:]) }
            if pictures.byKey.updateValue(picture, forKey: key) == nil { pictures.bytes += picture.readableBytes }
        }
        return picture
    }
}
