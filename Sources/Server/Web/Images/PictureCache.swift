import NIOCore
import Synchronization

/// A cache of generated pictures within a byte budget. A picture depends only on its key.
package final class PictureCache: Sendable {
    /// The total size in bytes; a picture that would exceed it empties the cache.
    private static let limit = 8 << 20

    private let pictures = Mutex<(bytes: Int, byKey: [String: ByteBuffer])>((0, [:]))

    package init() {}

    /// The picture for `key`, rendered off the event loops, where a millisecond would delay other clients.
    func picture(_ key: String, render: @Sendable @escaping () -> [UInt8]) async -> ByteBuffer {
        if let known = pictures.withLock({ $0.byKey[key] }) { return known }
        let picture = await withTaskExecutorPreference(globalConcurrentExecutor) { ByteBuffer(bytes: render()) }
        pictures.withLock { pictures in
            if pictures.bytes + picture.readableBytes > Self.limit { pictures = (0, [:]) }
            if pictures.byKey.updateValue(picture, forKey: key) == nil { pictures.bytes += picture.readableBytes }
        }
        return picture
    }
}
