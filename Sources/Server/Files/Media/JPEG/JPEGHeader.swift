import FeedCore

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

/// The only property of a photo that is kept: how it has to be turned (Exif 2.32, 4.6.4).
enum Exif {
    private static let mark = Array("Exif\0\0".utf8)
    private static let orientationTag = 0x0112
    private static let shortType = 3
    /// The maximum number of entries that are examined.
    private static let maximumEntries = 1000

    /// The orientation, from 1 to 8, in the content of an APP1 segment; `nil` if it does not state one.
    static func orientation(in segment: ArraySlice<UInt8>) -> UInt8? {
        segment.starts(with: mark) ? orientation(inTIFF: segment.dropFirst(mark.count)) : nil
    }

    /// The orientation, from 1 to 8, in the content of an `eXIf` chunk (PNG, third edition, 11.3.4.5); `nil` if it does not
    /// state one.
    static func orientation(inTIFF tiff: ArraySlice<UInt8>) -> UInt8? {
        switch tiff.text(0, 2) {
        case "MM": return orientation(in: tiff) { tiff.big($0, $1) }
        case "II": return orientation(in: tiff) { tiff.little($0, $1) }
        default: return nil
        }
    }

    private static func orientation(in tiff: ArraySlice<UInt8>, number: (_ offset: Int, _ count: Int) -> Int) -> UInt8?
    {
        let directory = number(4, 4)
        guard tiff.count >= 8, number(2, 2) == 42, directory <= tiff.count - 2 else { return nil }
        for index in 0..<min(number(directory, 2), maximumEntries) {
            let entry = directory + 2 + 12 * index
            guard entry <= tiff.count - 12 else { return nil }
            guard number(entry, 2) == orientationTag else { continue }
            guard number(entry + 2, 2) == shortType, number(entry + 4, 4) == 1 else { return nil }
            let value = UInt8(truncatingIfNeeded: number(entry + 8, 2))
            return number(entry + 8, 2) < 9 && value > 0 ? value : nil
        }
        return nil
    }

    /// The content of an APP1 segment that states an orientation and nothing else.
    static func segment(orientation: UInt8) -> [UInt8] { mark + tiff(orientation: orientation) }

    /// The content of an `eXIf` chunk that states an orientation and nothing else.
    static func tiff(orientation: UInt8) -> [UInt8] {
        let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        return header + [0, 1] + entry + [0, 0, 0, 0]
    }
}
