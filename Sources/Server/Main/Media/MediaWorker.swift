import FeedCore
import FeedFiles
import FeedImages
import Foundation

/// Handles one upload in the process that ``MediaWorkerCommand`` runs: copies it without metadata and makes a
/// thumbnail.
struct MediaWorker {
    private static let upload: Int32 = 0
    private static let content: Int32 = 3
    private static let thumbnail: Int32 = 4

    let maker: ThumbnailMaker

    func process() -> MediaReport.Result {
        do {
            return try copy()
        } catch {
            return .refused(error)
        }
    }

    private func copy() throws(MediaError) -> MediaReport.Result {
        var source = try FileSource(descriptor: Self.upload)
        var sink = KeepingSink(
            FileSink(descriptor: Self.content), keeping: try Self.isImage(source) ? source.remaining : 0)
        let info = try MediaCopier.copy(from: &source, to: &sink, limits: maker.limits)
        let size = info.uprightSize
        var meta = MediaMeta(width: size?.width, height: size?.height, milliseconds: info.milliseconds)
        // The decoders get the copy, which has been checked and contains less.
        guard let image = try maker.thumbnail(of: sink.bytes, info) else {
            return .processed(info.format, meta, isAnimated: info.isAnimated, blurhash: nil)
        }
        if let encoded = maker.encode(image), encoded.count <= MediaPool.thumbnailBytes {
            guard DescriptorOutput.write(encoded, to: Self.thumbnail) else {
                throw MediaError(.failed, "The thumbnail could not be written")
            }
            (meta.thumbnailWidth, meta.thumbnailHeight) = (image.width, image.height)
        }
        return .processed(info.format, meta, isAnimated: info.isAnimated, blurhash: Blurhash.encode(image))
    }

    /// - Parameter source: A copy, so that the upload is still read from its beginning.
    private static func isImage(_ source: FileSource) throws(MediaError) -> Bool {
        var source = source
        let head = try source.read(Int(min(source.remaining, Int64(MediaSniffer.prefixLength))))
        return MediaSniffer.format(of: head)?.kind == .image
    }
}

/// Writes to a file, and keeps what has been written.
private struct KeepingSink: ByteSink {
    private var file: FileSink
    private let limit: Int
    private(set) var bytes: [UInt8] = []

    /// - Parameter limit: The number of bytes to keep: the size of the upload, since a copy is hardly larger; or 0.
    init(_ file: FileSink, keeping limit: Int64) {
        self.file = file
        self.limit = limit > 0 ? Int(clamping: limit) + 1024 : 0
        // At once, so that the array is never copied to a larger one.
        bytes.reserveCapacity(min(self.limit, 64 << 20))
    }

    mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaError) {
        if self.bytes.count + bytes.count <= limit { self.bytes += bytes }
        try file.write(bytes)
    }

    mutating func finish() throws(MediaError) { try file.finish() }
}

enum DescriptorOutput {
    /// - Returns: Whether all bytes have been written.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
