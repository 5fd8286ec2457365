import ArgumentParser
import FeedCore
import FeedFiles
import FeedImages
import Foundation
import Logging
import Synchronization

/// `feedserver process-media`: handles one upload in a process of its own, started by ``MediaPool``.
///
/// Descriptor 0 is the upload, a regular file. The copy without metadata is written to descriptor 3, the thumbnail, if
/// there is one, to descriptor 4, and a ``MediaReport`` to standard output. The exit code is 0, even if the file is
/// refused; anything else is a crash.
struct ProcessMediaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: MediaArguments.command, abstract: "Process one upload (internal).", shouldDisplay: false)

    @Flag(help: "Print the formats of images that no installed library decodes.") var listsMissing = false
    @Argument(help: "Bytes of an image, bytes of a video, pixels of an image, pixels of a thumbnail.")
    var limits: [Int] = []

    func validate() throws {
        if listsMissing { return }
        guard MediaArguments(limits) != nil else { throw ValidationError("Four limits are required.") }
    }

    func run() throws {
        if listsMissing { return print(ImageLibraries.load().missingFormats.joined(separator: ", ")) }
        guard let arguments = MediaArguments(limits) else { throw ExitCode.validationFailure }
        // Afterwards no file can be opened, so the libraries come first.
        let maker = ThumbnailMaker(libraries: .load(), limits: arguments.limits)
        let missing = MediaSandbox.enter(fileBytes: arguments.limits.uploadBytes)
        let report = MediaReport(UploadFile(maker: maker).process(), missingRestrictions: missing)
        // Without the cleaning up of `exit`, which might need a call that is forbidden now.
        _exit(DescriptorOutput.write(report.line, to: STDOUT_FILENO) ? 0 : 1)
    }
}

/// The upload and the files made from it.
private struct UploadFile {
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

private enum DescriptorOutput {
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

extension MediaPool {
    /// The pool of a server. It logs once which restrictions of its processes the kernel refuses, and every process that
    /// ends without a report: a file has crashed a decoder, or taken it over.
    static func serving(_ blobs: BlobStore, logger: Logger) -> MediaPool {
        let isReported = Mutex(false)
        let report: @Sendable (String) -> Void = { missing in
            let isFirst = isReported.withLock { reported in
                defer { reported = true }
                return !reported
            }
            guard isFirst else { return }
            logger.warning("images are processed with fewer restrictions", metadata: ["missing": "\(missing)"])
        }
        return MediaPool(blobs: blobs, report: report) { crash in
            logger.warning("an upload could not be processed", metadata: ["reason": "\(crash.reason)"])
        }
    }
}
