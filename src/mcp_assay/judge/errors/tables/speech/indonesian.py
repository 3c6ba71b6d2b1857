"""What errors say in Indonesian."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    FAIR,
    STRONG,
    business,
    conversion,
    environment,
    failure,
    table,
    unclear,
)

INDONESIAN: Final = table(
    "indonesian",
    failure(
        CERTAIN,
        """
        referensi null | pointer null | penunjuk null | referensi kosong | diharapkan … null
        diharapkan … none | diharapkan … undefined | mengharapkan … null | mengharapkan … none
        mengharapkan … undefined | seharusnya … null | seharusnya … none | seharusnya … undefined
        menerima null | menerima none | menerima undefined | mendapat null | mendapat none
        mendapat undefined | diterima null | diterima none | diterima undefined | mendapatkan null
        mendapatkan none | mendapatkan undefined | adalah null | adalah none | adalah undefined
        bernilai null | bernilai none | bernilai undefined | templat internal | template internal
        tabel internal | modul internal | pembagian dengan nol | dibagi nol | dibagi dengan nol
        belum diimplementasikan | tidak diimplementasikan | belum diterapkan | di luar batas array
        di luar batas | indeks di luar | pengecualian tidak tertangani
        pengecualian yang tidak tertangani | tidak tertangani | kesalahan pemrograman
        kesalahan kode | kesalahan program | kesalahan dalam kode | variabel … tidak terdefinisi
        variabel … tidak didefinisikan | variabel … belum didefinisikan
        fungsi … tidak terdefinisi | fungsi … tidak didefinisikan | tidak terdefinisi
        tidak didefinisikan | tipe tidak terduga | serialisasi | menserialisasi
        tidak memiliki atribut | tidak memiliki metode | modul … tidak ditemukan
        kesalahan segmentasi | skema keluaran
        """,
    ),
    conversion(
        CERTAIN,
        """
        kolom … tidak ada | kolom … tidak ditemukan | tabel … tidak ada | tabel … tidak ditemukan
        relasi … tidak ada | relasi … tidak ditemukan | kesalahan sintaks* | sintaks salah
        gagal mengurai | gagal mendekode | gagal mengonversi | tidak dapat mengurai
        tidak dapat mendekode | tidak dapat mengonversi
        """,
    ),
    environment(
        CERTAIN,
        """
        tidak dapat terhubung | tidak bisa terhubung | gagal terhubung | gagal menghubungi
        tidak dapat menghubungi | koneksi | sambungan ditolak | kertas | pencetak
        printer … kertas | printer … tinta | printer … tidak merespons | printer … offline
        sertifikat server | sertifikat ssl | sertifikat tls | sertifikat … kedaluwarsa
        sertifikat … kadaluarsa | sertifikat … server | tidak merespons | tidak merespon
        tidak menanggapi | tidak ada respons | tidak ada respon | tidak menjawab
        variabel lingkungan | belum diatur | belum dikonfigurasi | tidak dikonfigurasi
        belum disetel | belum diset | waktu … habis | waktu habis | batas waktu | waktu tunggu
        pemeliharaan | perawatan sistem | sementara waktu | untuk sementara | kelebihan beban
        ruang disk | disk penuh | ruang penyimpanan | ruang kosong | basis data … terkunci
        basis data … dikunci | tidak dapat dijangkau | tidak terjangkau | belum terpasang
        tidak terpasang | belum terinstal | tidak terinstal | jaringan | kehabisan memori
        hanya baca
        """,
    ),
    business(
        STRONG,
        """
        sudah | telah | tidak mencukupi | tidak cukup | kurang | tidak ditemukan | tidak ada
        tidak terdaftar | tidak terdapat | salah | tidak memiliki | tidak punya | tidak valid
        tidak sah | tidak benar | tidak boleh | tidak diizinkan | tidak diperbolehkan
        tidak berhak | tidak sesuai | tidak cocok | tidak didukung | tidak dapat dibatalkan
        tidak dapat dihapus | tidak dapat diubah | tidak bisa dibatalkan | tidak dikenal
        tidak tersedia | habis | harus | wajib | maksimal | setidaknya | paling sedikit
        paling banyak | melebihi | melampaui | batas | kuota | ditolak | kedaluwarsa | kadaluarsa
        silakan pilih | silakan masuk | silakan login | silakan isi | masukkan | pilih
        diperlukan | dibutuhkan | terlalu | duplikat | kosong | akses ditolak | izin ditolak
        diblokir | dikunci | ditutup | hanya pemilik | hanya | di luar jam | di luar rentang
        belum login | belum masuk
        """,
    ),
    unclear(
        FAIR,
        """
        terjadi kesalahan | telah terjadi kesalahan | ada yang salah | ada kesalahan
        sesuatu yang salah | terjadi masalah | coba lagi | kesalahan tidak diketahui
        kesalahan tak terduga | kesalahan tidak terduga | kesalahan internal | kesalahan sistem
        hubungi administrator | hubungi admin | gagal | operasi gagal | operasi dibatalkan
        tidak dapat diproses | tidak dapat diselesaikan
        """,
    ),
)
