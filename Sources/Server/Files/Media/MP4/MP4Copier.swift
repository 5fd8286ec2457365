import FeedCore

/// Copies an MP4 file. What may reveal something is blanked in place, so that all offsets in the file stay correct:
/// `udta`, `meta`, `uuid`, tracks with data, and all unknown boxes become `free`.
struct MP4Copier<Source: ByteSource, Sink: ByteSink> {
    private struct Open {
        var type: String
        var end: Int64
    }

    private var stream: MediaStream<Source, Sink>
    private let total: Int64
    private var movie = MP4Movie()
    private var open: [Open] = []
    private var boxes = 0
    private var movies = 0

    static func copy(_ stream: inout MediaStream<Source, Sink>) throws(MediaError) -> MediaInfo {
        var copier = MP4Copier(stream: stream)
        try copier.run()
        stream = copier.stream
        let movie = copier.movie
        return MediaInfo(
            movie.hasPictures ? .mp4 : .m4a, width: movie.width, height: movie.height, milliseconds: movie.milliseconds)
    }

    private init(stream: MediaStream<Source, Sink>) {
        self.stream = stream
        total = stream.remaining
    }

    private var position: Int64 { total - stream.remaining }

    private mutating func run() throws(MediaError) {
        while true {
            while let last = open.last, last.end == position { open.removeLast() }
            if position == total { break }
            try copyBox(until: open.last?.end ?? total)
        }
        guard movies == 1, movie.hasPictures || movie.hasSound else {
            throw .damaged("it contains no movie, or several")
        }
    }

    private mutating func copyBox(until end: Int64) throws(MediaError) {
        boxes += 1
        guard boxes <= MediaFormatLimits.boxes else {
            throw .tooLarge("The video has too many parts", hint: "Convert the video to an ordinary MP4 file.")
        }
        let available = end - position
        // QuickTime ends some boxes with four zeros.
        guard available >= 8 else { return try stream.blank(available) }
        var head = try stream.read(8)
        var size = Int64(head.big(0, 4))
        if size == 1 {
            guard available >= 16 else { throw Self.invalid }
            head += try stream.read(8)
            size = Int64(clamping: head.part(8, 8).bigEndian)
        } else if size == 0, open.isEmpty {
            // The last box may omit its size.
            size = available
        }
        guard size >= head.count else { throw Self.invalid }
        guard size <= available else { throw open.isEmpty ? .incomplete : Self.invalid }
        try place(head.text(4, 4), head, content: size - Int64(head.count))
    }

    private static var invalid: MediaError { .damaged("a box of the MP4 file has no valid size") }

    private mutating func place(_ type: String, _ head: ArraySlice<UInt8>, content: Int64) throws(MediaError) {
        let parent = open.last?.type ?? ""
        if MP4Box.containers[parent]?.contains(type) == true, try enter(type, content) {
            try stream.write(head)
            open.append(Open(type: type, end: position + content))
        } else if MP4Box.leaves[parent]?.contains(type) == true {
            try stream.write(head)
            if MP4Box.changed.contains(type) { return try change(type, content) }
            if MP4Box.read.contains(type) { try read(type, content) }
            try stream.copy(content)
        } else {
            try stream.write(head.prefix(4) + Array("free".utf8) + head.dropFirst(8))
            try stream.blank(content)
        }
    }

    /// - Returns: Whether the content is copied.
    private mutating func enter(_ type: String, _ content: Int64) throws(MediaError) -> Bool {
        if type == MP4Box.movie { movies += 1 }
        guard type == MP4Box.track else { return true }
        movie.startTrack()
        switch try MP4Track(stream.reader, length: content).treatment {
        case .kept: return true
        case .blanked: return false
        case .refused:
            throw .unsupported(
                "The video contains a data track that reveals where it was made",
                hint: "Export the video without it, for example with: ffmpeg -i IN -map 0:v -map 0:a? -c copy OUT.mp4")
        }
    }

    private mutating func change(_ type: String, _ content: Int64) throws(MediaError) {
        guard content <= Int64(MediaFormatLimits.memory) else { throw .damaged("a header of the MP4 file is too long") }
        var body = Array(try stream.read(Int(content)))
        try movie.read(type, &body)
        try stream.write(body)
    }

    private mutating func read(_ type: String, _ content: Int64) throws(MediaError) {
        let length = min(content, Int64(MediaFormatLimits.memory))
        movie.fragments.read(type, try stream.peek(Int(length)), isWhole: length == content)
    }
}

/// The boxes of an MP4 file that are kept (ISO/IEC 14496-12). All others become `free`, also where a newer edition
/// defines them: what is unknown may reveal something.
private enum MP4Box {
    static let movie = "moov"
    static let track = "trak"

    /// Boxes that contain boxes, by the box that contains them; the empty name is the file.
    static let containers: [String: Set<String>] = [
        "": ["moov", "moof", "mfra"], "moov": ["trak", "mvex"], "trak": ["mdia", "edts"], "mdia": ["minf"],
        "minf": ["stbl", "dinf"], "moof": ["traf"],
    ]

    /// Boxes without boxes, by the box that contains them.
    static let leaves: [String: Set<String>] = [
        "": ["ftyp", "styp", "mdat", "sidx", "ssix", "pdin"],
        "moov": ["mvhd", "iods"],
        "trak": ["tkhd", "tref"],
        "mdia": ["mdhd", "hdlr", "elng"],
        "minf": ["vmhd", "smhd", "hmhd", "nmhd", "sthd"],
        "stbl": [
            "stsd", "stts", "ctts", "cslg", "stsc", "stsz", "stz2", "stco", "co64", "stss", "stsh", "sdtp", "sbgp",
            "sgpd", "subs", "saiz", "saio", "padb", "stdp",
        ],
        "dinf": ["dref"],
        "edts": ["elst"],
        "mvex": ["mehd", "trex", "leva"],
        "moof": ["mfhd"],
        "traf": ["tfhd", "trun", "tfdt", "sdtp", "sbgp", "sgpd", "subs", "saiz", "saio"],
        "mfra": ["tfra", "mfro"],
    ]

    /// Boxes that are changed.
    static let changed: Set<String> = ["mvhd", "tkhd", "mdhd", "hdlr", "stsd", "dref", "mehd"]

    /// Boxes that are only read.
    static let read: Set<String> = ["trex", "tfhd", "tfdt", "trun"]

    /// Tracks of pictures, sound, subtitles, time codes and hints.
    static let handlers: Set<String> = ["vide", "soun", "subt", "sbtl", "text", "clcp", "tmcd", "hint"]
}

/// The properties that decide whether a track of an MP4 file is copied.
private struct MP4Track {
    enum Treatment {
        case kept
        /// Data for programs, such as the movement of a phone. The track is blanked.
        case blanked
        /// Data with positions, which would remain among the samples.
        case refused
    }

    private static let containers: Set<String> = ["mdia", "minf", "stbl"]
    /// Formats of samples, and a part of the keys of Apple's, which contain positions.
    private static let positions = ["gpmd", "camm", "djmd", "rtmd", "location"]

    private var handler = ""
    private var samples = ""

    /// Reads ahead, up to the end of the track.
    /// - Parameter length: The length in bytes of the content of the track.
    init(_ reader: MediaReader<some ByteSource>, length: Int64) throws(MediaError) {
        var (reader, left) = (reader, length)
        while left >= 8 {
            let head = try reader.read(8)
            left -= 8
            let type = head.text(4, 4)
            if Self.containers.contains(type) { continue }
            // Boxes of 4 GiB do not occur here.
            let content = Int64(head.big(0, 4)) - 8
            guard content >= 0, content <= left else { throw .damaged("a track of the MP4 file is invalid") }
            let start = try reader.peek(Int(min(content, Int64(MediaFormatLimits.memory))))
            if type == "hdlr", handler.isEmpty { handler = start.text(8, 4) }
            if type == "stsd", samples.isEmpty { samples = String(decoding: start, as: UTF8.self) }
            try reader.skip(content)
            left -= content
        }
    }

    var treatment: Treatment {
        if MP4Box.handlers.contains(handler) { return .kept }
        return Self.positions.contains { samples.contains($0) } ? .refused : .blanked
    }
}
