/// The properties of a movie, from the boxes of an MP4 file. Also removes private metadata from them: times, and the
/// names of programs and devices.
struct MP4Movie {
    private(set) var width: Int?
    private(set) var height: Int?
    /// Whether the movie has a video track, and whether it has one with sound.
    private(set) var hasPictures = false
    private(set) var hasSound = false
    var fragments = MP4Fragments()
    private var timescale: UInt64 = 0
    private var duration: UInt64 = 0
    /// The size of the current track.
    private var trackSize: (width: Int, height: Int)?
    private var handler = ""

    /// Milliseconds; `nil` if unknown.
    var milliseconds: Int64? { [statedMilliseconds, fragments.milliseconds].compactMap(\.self).max() }

    private var statedMilliseconds: Int64? {
        guard timescale > 0, duration > 0, duration <= UInt64(Int64.max) / 1000 else { return nil }
        return Int64(duration * 1000 / timescale)
    }

    mutating func startTrack() { (trackSize, handler) = (nil, "") }

    /// Reads a box of the type `type` and changes its content.
    mutating func read(_ type: String, _ body: inout [UInt8]) throws(MediaError) {
        fragments.read(type, body[...], isWhole: true)
        switch type {
        case "mvhd": try readMovieHeader(&body)
        case "tkhd": try readTrackHeader(&body)
        case "mdhd": try Self.removeTimes(&body, minimum: 24)
        case "hdlr": readHandler(&body)
        case "mehd": readExtendedDuration(body)
        case "stsd": MP4SampleEntries.clean(&body, handler: handler)
        case "dref": MP4SampleEntries.removeAddresses(&body)
        default: break
        }
    }

    /// Removes the times of creation and modification.
    /// - Parameter minimum: The length of a box of version 0 in bytes; three of its fields are longer in version 1.
    /// - Returns: Whether the box has version 1.
    @discardableResult
    private static func removeTimes(_ body: inout [UInt8], minimum: Int) throws(MediaError) -> Bool {
        let isLong = body.first == 1
        guard body.count >= minimum + (isLong ? 12 : 0) else { throw .damaged("a header of the MP4 file is too short") }
        blank(&body, 4..<(isLong ? 20 : 12))
        return isLong
    }

    private static func blank(_ body: inout [UInt8], _ range: Range<Int>) {
        for index in range.clamped(to: 0..<body.count) { body[index] = 0 }
    }

    private mutating func readMovieHeader(_ body: inout [UInt8]) throws(MediaError) {
        let isLong = try Self.removeTimes(&body, minimum: 100)
        timescale = body.part(isLong ? 20 : 12, 4).bigEndian
        duration = Self.known(isLong ? body.part(24, 8) : body.part(16, 4))
        fragments.continueMovie = duration > 0
    }

    /// A duration; 0 if all bits are set, which means that it is unknown.
    private static func known(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.allSatisfy { $0 == 0xFF } ? 0 : bytes.bigEndian
    }

    private mutating func readExtendedDuration(_ body: [UInt8]) {
        duration = max(duration, Self.known(body.first == 1 ? body.part(4, 8) : body.part(4, 4)))
    }

    private mutating func readTrackHeader(_ body: inout [UInt8]) throws(MediaError) {
        let matrix = try Self.removeTimes(&body, minimum: 84) ? 52 : 40
        // Pixels are stored in units of 1/65,536.
        let (width, height) = (body.big(matrix + 36, 2), body.big(matrix + 40, 2))
        let isTurned = body.big(matrix, 4) == 0 && body.big(matrix + 16, 4) == 0
        trackSize = isTurned ? (width: height, height: width) : (width: width, height: height)
    }

    private mutating func readHandler(_ body: inout [UInt8]) {
        handler = body.text(8, 4)
        Self.blank(&body, 12..<max(12, body.count))
        hasSound = hasSound || handler == "soun"
        guard handler == "vide" else { return }
        hasPictures = true
        guard width == nil, let trackSize, trackSize.width > 0, trackSize.height > 0 else { return }
        (width, height) = (trackSize.width, trackSize.height)
    }
}

/// Removes from boxes with entries what programs and cameras add to them.
private enum MP4SampleEntries {
    /// Boxes inside an entry that describe where and by whom the samples were made: they become `free`.
    private static let hidden: Set<String> = ["udta", "meta", "uuid", "name"]
    /// The lengths in bytes of entries without the boxes that they contain, by the handler of the track (12.1.3, 12.2.3,
    /// and for time codes the QuickTime File Format). Sound in QuickTime can have longer ones.
    private static let lengths = ["vide": 86, "soun": 36, "tmcd": 34]

    /// Changes the content of `stsd`.
    /// - Parameter handler: The handler of the track.
    static func clean(_ body: inout [UInt8], handler: String) {
        guard let fixed = lengths[handler] else { return }
        for entry in boxes(in: body, from: 8, to: body.count) where entry.count >= fixed {
            // The name of the compressor, in which cameras store their own.
            if handler == "vide" { blank(&body, (entry.lowerBound + 50)..<(entry.lowerBound + 82)) }
            let extra = handler == "soun" ? [0: 0, 1: 16, 2: 36][body.big(entry.lowerBound + 16, 2)] ?? 0 : 0
            let content = entry.lowerBound + fixed + extra
            for box in boxes(in: body, from: content, to: entry.upperBound)
            where hidden.contains(body.text(box.lowerBound + 4, 4)) {
                body.replaceSubrange(box.lowerBound + 4..<box.lowerBound + 8, with: "free".utf8)
                blank(&body, (box.lowerBound + 8)..<box.upperBound)
            }
        }
    }

    /// Changes the content of `dref`: the samples are in this file, so no address of another one is needed (8.7.2).
    static func removeAddresses(_ body: inout [UInt8]) {
        for entry in boxes(in: body, from: 8, to: body.count) {
            blank(&body, min(entry.lowerBound + 12, entry.upperBound)..<entry.upperBound)
        }
    }

    /// The positions of boxes that follow each other, up to the first one that is not valid.
    private static func boxes(in body: [UInt8], from start: Int, to end: Int) -> [Range<Int>] {
        var (start, boxes): (Int, [Range<Int>]) = (start, [])
        while start + 8 <= end {
            let length = body.big(start, 4)
            guard length >= 8, length <= end - start else { break }
            boxes.append(start..<start + length)
            start += length
        }
        return boxes
    }

    private static func blank(_ body: inout [UInt8], _ range: Range<Int>) {
        for index in range { body[index] = 0 }
    }
}

/// The duration of a fragmented movie (ISO/IEC 14496-12, 8.8): its header states that of its beginning, or none.
struct MP4Fragments {
    private struct Track {
        var timescale: UInt64 = 0
        /// The duration of a sample, where the file states no other one.
        var sampleDuration: UInt64 = 0
        /// The time at which the first fragment starts, and that at which the last one ends, in units of the timescale.
        var start: UInt64?
        var end: UInt64 = 0

        func milliseconds(from beginning: UInt64?) -> Int64? {
            guard timescale > 0, let start = start.map({ beginning ?? $0 }), end > start else { return nil }
            return Int64((end - start) * 1000 / timescale)
        }
    }

    /// The latest accepted time. Sums of such times, and their products with 1000, do not overflow.
    private static let latest: UInt64 = 1 << 50
    private static let maximumTracks = 1000

    private var tracks: [UInt64: Track] = [:]
    /// The track of the current box.
    private var current: UInt64 = 0
    private var sampleDuration: UInt64 = 0
    /// Whether a box is too long to be read, or invalid.
    private var isUnknown = false
    /// Whether the fragments continue a movie, which starts at 0. Others may be part of a broadcast.
    var continueMovie = false

    /// Milliseconds; `nil` if there are no fragments, or if it is unknown.
    var milliseconds: Int64? {
        isUnknown ? nil : tracks.values.compactMap { $0.milliseconds(from: continueMovie ? 0 : nil) }.max()
    }

    /// - Parameter body: The content of a box of the type `type`.
    mutating func read(_ type: String, _ body: ArraySlice<UInt8>, isWhole: Bool) {
        let isLong = body.first == 1
        switch type {
        case "tkhd": current = body.part(isLong ? 20 : 12, 4).bigEndian
        case "mdhd": change { $0.timescale = body.part(isLong ? 20 : 12, 4).bigEndian }
        case "trex":
            current = body.part(4, 4).bigEndian
            change { $0.sampleDuration = body.part(12, 4).bigEndian }
        case "tfhd": startFragment(body)
        case "tfdt": setTime(body.part(4, isLong ? 8 : 4).bigEndian)
        case "trun": addSamples(body, isWhole: isWhole)
        default: break
        }
    }

    private mutating func change(_ body: (inout Track) -> Void) {
        guard tracks.count < Self.maximumTracks || tracks[current] != nil else { return isUnknown = true }
        body(&tracks[current, default: Track()])
    }

    private mutating func startFragment(_ body: ArraySlice<UInt8>) {
        current = body.part(4, 4).bigEndian
        let flags = body.big(1, 3)
        let offset = 8 + (flags & 1 == 0 ? 0 : 8) + (flags & 2 == 0 ? 0 : 4)
        sampleDuration = flags & 8 == 0 ? tracks[current]?.sampleDuration ?? 0 : body.part(offset, 4).bigEndian
    }

    private mutating func setTime(_ time: UInt64) {
        guard time < Self.latest else { return isUnknown = true }
        change { track in
            track.start = min(track.start ?? time, time)
            track.end = max(track.end, time)
        }
    }

    private mutating func addSamples(_ body: ArraySlice<UInt8>, isWhole: Bool) {
        guard let duration = duration(of: body, isWhole: isWhole) else { return isUnknown = true }
        change { track in
            track.start = track.start ?? 0
            track.end = min(track.end + duration, Self.latest)
        }
    }

    /// The sum of the durations of the samples of a `trun` box.
    private func duration(of body: ArraySlice<UInt8>, isWhole: Bool) -> UInt64? {
        let (flags, count) = (body.big(1, 3), body.part(4, 4).bigEndian)
        guard flags & 0x100 != 0 else { return sampleDuration * count < Self.latest ? sampleDuration * count : nil }
        let start = 8 + (flags & 1 == 0 ? 0 : 4) + (flags & 4 == 0 ? 0 : 4)
        // A sample has up to four fields, of which the duration is the first.
        let length = 4 * (flags >> 8 & 15).nonzeroBitCount
        guard isWhole, UInt64(body.count) >= UInt64(start) + count * UInt64(length) else { return nil }
        return stride(from: start, to: start + Int(count) * length, by: length)
            .reduce(0) { $0 + body.part($1, 4).bigEndian }
    }
}
