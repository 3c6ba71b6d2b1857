"""What errors say in Turkish."""

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

TURKISH: Final = table(
    "turkish",
    failure(
        CERTAIN,
        """
        null referans* | null başvuru* | boş referans | boş işaretçi | nesne başvurusu
        nesnenin örneğine | bekleniyordu … null | bekleniyordu … none | bekleniyordu … undefined
        beklenirken … null | beklenirken … none | beklenirken … undefined | beklenen … null
        beklenen … none | beklenen … undefined | null geldi | null alındı | null döndü
        undefined geldi | undefined alındı | undefined döndü | dahili şablon | iç şablon
        dahili tablo | dahili modül | dizi sınır* | sınırlarının dışında | dizin aralık dışı
        indeks aralık dışı | indeks sınır* | sıfıra bölme | sıfıra bölün* | sıfıra böl*
        henüz uygulanmadı | uygulanmamış | henüz geliştirilmedi | serileştir*
        işlenmeyen özel durum | işlenmemiş istisna | yakalanmamış istisna | yığın taşması
        parçalama arızası | program hatası | programlama hatası | kod hatası | koddaki
        değişken … tanımlı değil | değişkeni tanımlı değil | fonksiyon … tanımlı değil
        tanımlanmamış değişken | tanımlı değil | sözlükte | beklenmeyen tür | beklenmeyen tip
        özelliği yok | metodu yok | modülü bulunamadı | oluşturulan sorgu | çıktı şema*
        """,
    ),
    conversion(
        CERTAIN,
        """
        kolonu mevcut değil | kolonu bulunamadı | kolonu yok | sütunu mevcut değil
        sütunu bulunamadı | sütunu yok | tablosu mevcut değil | tablosu bulunamadı | tablosu yok
        kolonu … mevcut değil | kolonu … bulunamadı | kolon … mevcut değil | kolon … bulunamadı
        sütun … mevcut değil | sütun … bulunamadı | tablo … mevcut değil | tablo … bulunamadı
        nesnesi mevcut değil | sözdizimi hatası | söz dizimi hatası | ayrıştırılamadı
        çözümlenemedi | dönüştürülemedi | giriş dizesi
        """,
    ),
    environment(
        CERTAIN,
        """
        bağlanılam* | bağlanamad* | bağlantı reddedildi | bağlantı kurulamadı | bağlantı kesildi
        bağlantı koptu | bağlantı hatası | bağlantı zaman | bağlantısı reddedildi
        bağlantısı kurulamadı | bağlantısı kesildi | bağlantısı koptu | kağıt | yazıcı*
        yanıt verm* | cevap verm* | yanıt alınam* | sertifika* | sertifika … süresi
        ortam değişken* | ayarlanmamış | yapılandırılmam* | yapılandırılmadı | zaman aşım*
        yer kalmadı | boş yer | disk dolu | diskte | veritabanı … kilit | veritabanı … kilitli
        kullanılamıyor | erişilem* | ulaşılam* | bakım* | geçici olarak | aşırı yük*
        kurulu değil | yüklü değil | ağ hatası | bilinen böyle bir ana bilgisayar
        bellek yetersiz | yetersiz bellek | salt okunur | kilitlenme | hizmet dışı
        """,
    ),
    environment(STRONG, "bağlantı"),
    business(
        STRONG,
        """
        bulunamad* | bulunmuyor | bulunmamaktadır | mevcut değil | müsait değil | yeterli … yok
        yetersiz* | geçersiz* | geçerli değil | zaten | yetkiniz yok | yetkisi yok | yetki yok
        izniniz yok | izin verilm* | izin yok | erişim engellendi | erişim reddedildi | yetkisiz*
        en az | en fazla | olmalı* | olamaz | gerekli* | gerekiyor | zorunlu* | stokta yok
        tükendi | aştınız | aşıldı | aşıyor | limitini* | reddedildi | süresi doldu
        süresi dolmuş | süresi geçmiş | hatalı şifre | şifre yanlış | şifre* | yanlış
        giriş yapın | oturum açın | oturum* | desteklenm* | bilinmeyen | boş olamaz
        boş bırakılamaz | seçiniz | seçin | giriniz | girin | eşleşm* | çok uzun | çok kısa
        çok büyük | kilitli hesap | hesap kilit* | hesabınız kilit* | dolu | rezerve
        iptal edilemez | silinemez | yapamazsınız | yok | eksik | önce olamaz | kullanılıyor
        benzersiz | yinelenen | tekrar eden | sadece | yalnızca | böyle bir dosya
        """,
    ),
    unclear(
        FAIR,
        """
        bir hata oluştu | hata oluştu | hata meydana geldi | ters gitti | yanlış gitti
        bir şeyler yanlış | başarısız oldu | başarısız | tekrar deneyin | bilinmeyen hata
        beklenmeyen hata | beklenmeyen bir hata | iç hata | dahili hata | yöneticiye başvurun
        yöneticinize | tamamlanamadı | gerçekleştirilemedi | sorun oluştu | iptal edildi
        """,
    ),
)
