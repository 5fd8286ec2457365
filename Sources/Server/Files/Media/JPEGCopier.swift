import FeedCore

/// Copies a JPEG file with its image, color profile and orientation. Everything else is removed: thumbnails, comments,
/// all other application segments, and what follows the end of the image, such as further images.
struct JPEGCopier<Source: ByteSource, Sink: ByteSink> {
    private var stream: MediaStream<Source, Sink>
    private let header: JPEGHeader
    private var scans = 0

    static func copy(
        _ stream: inout MediaStream<Source, Sink>, _ limits: MediaLimits
    ) throws(MediaError) -> MediaInfo {
        // Exactly the start marker, which the sniffer has seen.
        try stream.skip(2)
        var copier = try JPEGCopier(stream: stream, header: JPEGHeader(stream.reader, limits))
        try copier.run()
        stream = copier.stream
        return MediaInfo(
            .jpeg, width: copier.header.width, height: copier.header.height,
            orientation: Int(copier.header.orientation ?? 1))
    }

    private init(stream: MediaStream<Source, Sink>, header: JPEGHeader) {
        self.stream = stream
        self.header = header
    }

    private mutating func run() throws(MediaError) {
        try stream.write([0xFF, JPEGMarker.start] + header.segments)
        var marker = try stream.reader.marker()
        while marker != JPEGMarker.end { marker = try copySegment(marker) }
        try stream.write([0xFF, JPEGMarker.end])
    }

    /// Copies or drops what a marker introduces.
    /// - Returns: The next marker.
    private mutating func copySegment(_ marker: UInt8) throws(MediaError) -> UInt8 {
        if JPEGMarker.standsAlone(marker) { return try stream.reader.marker() }
        guard marker != JPEGMarker.start else { throw .damaged("it contains several images") }
        let body = try stream.reader.segment()
        if marker == JPEGMarker.scan {
            try startScan(body)
            return try copyScan()
        }
        if try isKept(marker, body) { try stream.write(JPEGMarker.segment(marker, body)) }
        return try stream.reader.marker()
    }

    private func isKept(_ marker: UInt8, _ body: ArraySlice<UInt8>) throws(MediaError) -> Bool {
        if JPEGMarker.frames.contains(marker) || JPEGMarker.otherFrames.contains(marker) {
            guard scans == 0 else { throw .damaged("it contains several images") }
            return true
        }
        if let limit = JPEGMarker.tables[marker] {
            guard body.count <= limit else { throw .damaged("a table of the JPEG file is too long") }
            return true
        }
        return marker == JPEGMarker.profile && scans == 0 && header.hasProfile && body.starts(with: ColorProfile.mark)
    }

    private mutating func startScan(_ body: ArraySlice<UInt8>) throws(MediaError) {
        scans += 1
        guard scans <= MediaFormatLimits.scans else {
            throw .tooLarge("The image has too many scans", hint: "Save the image as an ordinary JPEG file.")
        }
        guard body.count == 4 + 2 * body.big(0, 1), (1...4).contains(body.big(0, 1)) else {
            throw .damaged("a scan header is invalid")
        }
        try stream.write(JPEGMarker.segment(JPEGMarker.scan, body))
    }

    /// Copies compressed data up to the next marker, and returns the marker.
    private mutating func copyScan() throws(MediaError) -> UInt8 {
        while true {
            let window = try stream.reader.window(atLeast: 2)
            let stop = JPEGScan.stop(in: window)
            try stream.copy(stop.count)
            switch stop.reason {
            case .needMore: break
            case .fill: try stream.skip(1)
            case .marker: return try stream.reader.marker()
            }
        }
    }
}

/// Finds the end of compressed data.
private enum JPEGScan {
    enum Reason { case marker, fill, needMore }

    /// - Parameter window: At least two bytes.
    /// - Returns: The number of bytes that belong to the data, and why it is interrupted after them.
    static func stop(in window: ArraySlice<UInt8>) -> (count: Int, reason: Reason) {
        window.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                guard bytes[index] == 0xFF else {
                    index += 1
                    continue
                }
                guard index + 1 < bytes.count else { return (index, .needMore) }
                switch bytes[index + 1] {
                // An escaped 0xFF, or a restart marker.
                case 0, 0xD0...0xD7: index += 2
                case 0xFF: return (index, .fill)
                default: return (index, .marker)
                }
            }
            return (index, .needMore)
        }
    }
}

/// The markers of a JPEG file (ITU-T T.81, table B.1).
enum JPEGMarker {
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA
    static let jfif: UInt8 = 0xE0
    static let exif: UInt8 = 0xE1
    static let profile: UInt8 = 0xE2
    static let adobe: UInt8 = 0xEE

    /// Baseline, extended and progressive frames with Huffman codes: the frames that browsers show.
    static let frames: Set<UInt8> = [0xC0, 0xC1, 0xC2]
    /// Frames that are lossless, hierarchical or arithmetically coded, and the segments that only these need.
    static let otherFrames: Set<UInt8> = [
        0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF, 0xDE, 0xDF,
    ]
    /// The tables that decoding needs, and the largest size of their segments in bytes.
    static let tables: [UInt8: Int] = [0xC4: 8 * (17 + 256), 0xDB: 4 * 129, 0xDD: 2]

    /// Whether a marker is not followed by a length.
    static func standsAlone(_ marker: UInt8) -> Bool { marker == 0x01 || (0xD0...0xD7).contains(marker) }

    /// A segment with its marker and length.
    static func segment(_ marker: UInt8, _ body: some Collection<UInt8>) -> [UInt8] {
        let length = body.count + 2
        return [0xFF, marker, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + body
    }
}

extension MediaReader {
    /// Moves to the next marker, past fill bytes and bytes that do not belong here, as decoders do.
    mutating func marker() throws(MediaError) -> UInt8 {
        while true {
            while try byte() != 0xFF {}
            var code = try byte()
            while code == 0xFF { code = try byte() }
            if code != 0 { return code }
        }
    }

    /// The content of a segment whose marker has been read.
    mutating func segment() throws(MediaError) -> ArraySlice<UInt8> {
        let length = try read(2).big(0, 2)
        guard length >= 2 else { throw .damaged("a segment of the JPEG file has no valid length") }
        return try read(length - 2)
    }
}

/// The segments before the first scan of a JPEG file, as far as they are kept.
struct JPEGHeader {
    /// Version and pixel density (JFIF 1.02), seven bytes; `nil` if the file is not a JFIF file.
    private(set) var jfif: [UInt8]?
    /// Version, flags and color transform, seven bytes after the name (Adobe TN 5116).
    private(set) var adobe: [UInt8]?
    private(set) var orientation: UInt8?
    private(set) var width = 0
    private(set) var height = 0
    private var profile = ColorProfile()

    var hasProfile: Bool { profile.isComplete }

    /// Reads ahead, up to the first scan.
    init(_ reader: MediaReader<some ByteSource>, _ limits: MediaLimits) throws(MediaError) {
        var reader = reader
        while true {
            let marker = try reader.marker()
            if marker == JPEGMarker.scan { break }
            if JPEGMarker.standsAlone(marker) { continue }
            guard marker != JPEGMarker.end, marker != JPEGMarker.start else { throw .damaged("it contains no image") }
            guard !JPEGMarker.otherFrames.contains(marker) else {
                throw .unsupported(
                    "This kind of JPEG file is not supported", hint: "Save the image as an ordinary JPEG file.")
            }
            try add(marker, reader.segment(), limits)
        }
        guard width > 0 else { throw .damaged("it contains no image") }
    }

    private mutating func add(_ marker: UInt8, _ body: ArraySlice<UInt8>, _ limits: MediaLimits) throws(MediaError) {
        switch marker {
        case let frame where JPEGMarker.frames.contains(frame): try addFrame(body, limits)
        case JPEGMarker.jfif where jfif == nil && body.starts(with: "JFIF\0".utf8) && body.count >= 14:
            jfif = Array(body.part(5, 7))
        case JPEGMarker.exif where orientation == nil: orientation = Exif.orientation(in: body)
        case JPEGMarker.profile: profile.add(body)
        case JPEGMarker.adobe where adobe == nil && body.starts(with: "Adobe".utf8) && body.count >= 12:
            adobe = Array(body.part(5, 7))
        default: break
        }
    }

    private mutating func addFrame(_ body: ArraySlice<UInt8>, _ limits: MediaLimits) throws(MediaError) {
        guard width == 0 else { throw .damaged("it contains several images") }
        guard body.count >= 6, body.count == 6 + 3 * body.big(5, 1), [1, 3, 4].contains(body.big(5, 1)) else {
            throw .damaged("its frame header is invalid")
        }
        guard body.big(0, 1) == 8 else {
            throw .unsupported(
                "JPEG files with 12 bits per color are not supported", hint: "Save the image with 8 bits per color.")
        }
        try limits.check(width: body.big(3, 2), height: body.big(1, 2))
        height = body.big(1, 2)
        width = body.big(3, 2)
    }

    /// The segments that follow the start of the image: JFIF without its thumbnail, Exif with the orientation only,
    /// and Adobe.
    var segments: [UInt8] {
        var result: [UInt8] = []
        if let jfif { result += JPEGMarker.segment(JPEGMarker.jfif, Array("JFIF\0".utf8) + jfif + [0, 0]) }
        if let orientation, orientation > 1 {
            result += JPEGMarker.segment(JPEGMarker.exif, Exif.segment(orientation: orientation))
        }
        if let adobe { result += JPEGMarker.segment(JPEGMarker.adobe, Array("Adobe".utf8) + adobe) }
        return result
    }
}

/// Checks a color profile that is split into segments (ICC.1:2022, annex B.4).
struct ColorProfile {
    static let mark = Array("ICC_PROFILE\0".utf8)

    private var segments = 0
    private var count = 0
    private var size = 0
    private var statedSize = 0
    private var isValid = true

    /// Adds the content of an APP2 segment, which may also contain something else.
    mutating func add(_ body: ArraySlice<UInt8>) {
        guard body.starts(with: Self.mark) else { return }
        segments += 1
        let data = body.dropFirst(Self.mark.count + 2)
        if segments == 1 {
            count = body.big(Self.mark.count + 1, 1)
            statedSize = data.big(0, 4)
            isValid = data.count >= MediaFormatLimits.profileHeader && data.text(36, 4) == "acsp"
        }
        size += data.count
        let isNext = body.big(Self.mark.count, 1) == segments && body.big(Self.mark.count + 1, 1) == count
        isValid = isValid && isNext && segments <= count && size <= MediaFormatLimits.profileBytes
    }

    /// Whether all segments are there, in order, and have the size that the profile states.
    var isComplete: Bool { segments > 0 && isValid && segments == count && size == statedSize }
}
