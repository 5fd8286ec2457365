/// The boxes of an MP4 file that are kept (ISO/IEC 14496-12). All others become `free`, also where a newer edition
/// defines them: what is unknown may reveal something.
enum MP4Box {
    static let movie = "moov"
    static let track = "trak"
    static let fileType = "ftyp"

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
