import FeedCore
import FeedFiles
import FeedImages
import Foundation
import Logging
import Synchronization

/// Makes thumbnails with the libraries that are installed.
struct ThumbnailMaker {
    let libraries: ImageLibraries
    let limits: MediaLimits

    /// Decodes the first frame of an image.
    /// - Returns: An upright image of at most `thumbnailPixels` pixels; `nil` for other media, without a library for the
    ///   format, or if there is not enough memory.
    /// - Throws: ``MediaError`` if the image is damaged.
    func thumbnail(of content: [UInt8], _ info: MediaInfo) throws(MediaError) -> Bitmap? {
        guard let width = info.width, let height = info.height, !content.isEmpty else { return nil }
        let size = ThumbnailSize(fitting: width, height, pixels: limits.thumbnailPixels)
        do {
            return try decode(content, info.format, size)?.upright(from: info.orientation)
        } catch {
            guard case .damaged(let reason) = error else { return nil }
            throw MediaError(
                .damaged, "The image cannot be decoded: \(reason)",
                hint: "Open it in another program and save it again.")
        }
    }

    private func decode(
        _ content: [UInt8], _ format: MediaFormat, _ size: ThumbnailSize
    ) throws(DecodingFailure) -> Bitmap? {
        switch format {
        case .jpeg: return try libraries.jpeg?.decode(content, to: size, limit: limits.pixels)
        case .png: return try libraries.png?.decode(content, to: size, limit: limits.pixels)
        case .webp: return try libraries.webP?.decode(content, to: size, limit: limits.pixels)
        case .gif:
            guard let frame = GIFDecoder(content, limit: limits.pixels) else { throw .damaged("no frame") }
            guard frame.width >= size.width, frame.height >= size.height else { throw .damaged("another size") }
            return frame.scaled(to: size)
        case .mp4, .webm, .mp3, .ogg, .m4a, .weba: return nil
        }
    }

    /// Encodes a thumbnail: as JPEG, or as PNG if parts of it are transparent or the library for JPEG is missing.
    func encode(_ image: Bitmap) -> [UInt8]? {
        if image.isOpaque, let jpeg = libraries.jpeg?.encode(image) { return jpeg }
        return PNGEncoder.encode(width: image.width, height: image.height) { image[$0, $1] }
    }
}

extension MaintenanceTask {
    /// Says which images get no thumbnails, because a library is missing. The libraries are only loaded in a process of
    /// their own.
    static func reportMissingLibraries(logger: Logger) -> MaintenanceTask {
        let isDone = Mutex(false)
        return MaintenanceTask(name: "look for image libraries", interval: .seconds(86_400), logger: logger) {
            let isFirst = isDone.withLock { done in
                defer { done = true }
                return !done
            }
            guard isFirst else { return }
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
            process.arguments = [MediaArguments.command, "--lists-missing"]
            process.standardOutput = output
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            let formats = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard !formats.isEmpty else { return }
            logger.notice(
                "images of some formats get no thumbnails, because a library is missing",
                metadata: ["formats": "\(formats)"])
        }
    }
}
